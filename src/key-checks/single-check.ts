import type { FastifyRequest } from 'fastify'
import type { KnownCaller } from '../identity/caller.ts'
import { originOfRequest, type RecordAudit } from '../platform/audit/audit.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { LimitHeaders } from '../platform/rate-limit/policy.ts'
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts'
import { Secret } from '../platform/secret.ts'
import type { KeyCheck, KeyVerdict } from './contract.ts'
import type { Validation, Verdict } from './engine/check.ts'
import { fingerprintOf } from './engine/credential.ts'
import { cleanedKey } from './engine/pasted.ts'

export interface KeyCheckParts {
  readonly recordAudit: RecordAudit
  readonly validation: Validation
  readonly limits: RateLimits<'key-checks'>
  /** Shared by all nodes, so that a credential has one fingerprint on all of them. */
  readonly fingerprintKey: Buffer
  readonly metrics: Pick<Metrics, 'countKeyCheck'>
}

export interface AskedCheck {
  readonly caller: KnownCaller
  readonly body: KeyCheck
  readonly request: FastifyRequest
  readonly wantsDetails: boolean
  /** One of many, in a batch. */
  readonly isBulk?: true
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/**
 * Counts a check of the caller and of the credential, and answers the headers that tell what the caller has left.
 * Problem: `rate_limited`.
 */
export async function countCheck(
  { limits, fingerprintKey }: KeyCheckParts,
  caller: KnownCaller,
  { provider = '', apiKey }: KeyCheck,
): Promise<LimitHeaders> {
  const [byCaller] = await Promise.all([
    limits.take('key-checks', `caller ${caller.id}`),
    limits.take('key-checks', `credential ${fingerprintOf([provider, cleanedKey(apiKey)], fingerprintKey)}`),
  ])
  return byCaller
}

/** The verdict, recorded in the audit trail. Problems: those of `Validation.check`. */
export async function verdictOn(parts: KeyCheckParts, asked: AskedCheck): Promise<KeyVerdict> {
  const { body, wantsDetails, isBulk, signal } = asked
  if (body.for !== undefined && !wantsDetails) refusePurpose()
  const { apiKey, parts: others, for: purpose, ...rest } = body
  const secrets = { apiKey: new Secret(apiKey), parts: secretsOf(others) }
  const check = { ...rest, ...secrets, purpose, details: wantsDetails, isBulk, signal }
  const { isValid, message, details } = await audited(parts, asked, () => parts.validation.check(check))
  return wantsDetails ? { isValid, message, details } : { isValid, message }
}

/** The answer to it is in the details. Without them it would be ignored, and a caller would take the verdict for that answer. */
function refusePurpose(): never {
  const detail = 'The answer to it is in the details: ask with ?details=true, or leave it out.'
  return refuse('input_invalid', { errors: [{ pointer: '/for', detail }] })
}

/** Every part is a secret: which of them would do harm is known to the provider file only. */
function secretsOf(parts: KeyCheck['parts'] = {}): Record<string, Secret> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, new Secret(value)]))
}

/** Records the outcome: the code of the verdict, or of the problem where there is none. */
async function audited(parts: KeyCheckParts, asked: AskedCheck, check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const verdict = await check()
    await record(parts, asked, verdict.details.provider, verdict.details.code)
    return verdict
  } catch (error) {
    if (error instanceof Problem) await record(parts, asked, asked.body.provider ?? 'default', error.code)
    throw error
  }
}

function record(
  { recordAudit, metrics }: KeyCheckParts,
  { caller, body, request }: AskedCheck,
  provider: string,
  outcome: string,
): Promise<void> {
  metrics.countKeyCheck(outcome)
  return recordAudit({
    action: 'provider_key.checked',
    ...(caller.kind === 'service' ? { serviceKeyId: caller.id } : { actorId: caller.id }),
    ...originOfRequest(request),
    details: { provider, keyType: body.keyType, outcome },
  })
}
