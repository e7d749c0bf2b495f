import type { FastifyRequest } from 'fastify'
import type { CheckCaller, Details, KeyChecks, Verdict } from '../../key-check/index.ts'
import { type Operation, operation } from '../identity/operation.ts'

import { originOfRequest, type RecordAudit } from '../platform/audit/audit.ts'
import type { KnownUser, ServiceCaller } from '../platform/http/caller.ts'
import { widestNetworkOf } from '../platform/http/client-address.ts'
import { jsonType, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { callerGone } from '../platform/http/transfer.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { LimitHeaders, RateLimits } from '../platform/rate-limits.ts'
import { type KeyCheck, providerKeysValidateContract, providersContract } from './contract.ts'
import { verdictOf } from './library.ts'

export interface KeyCheckParts {
  readonly recordAudit: RecordAudit
  readonly keyChecks: KeyChecks
  readonly limits: RateLimits<'key-checks'>
  readonly metrics: Pick<Metrics, 'countKeyCheck'>
  /** The share of one caller, by its kind. */
  readonly failedKeysMax: Readonly<Record<'user' | 'service', number>>
}

/**
 * An attacker could use it to test stolen keys. So it requires a permission, has a rate limit per caller, and writes to
 * the audit log.
 */
export function providerKeysValidate(parts: KeyCheckParts): Operation<typeof providerKeysValidateContract> {
  return operation(providerKeysValidateContract, async ({ caller, query, body, request, reply }) => {
    reply.headers(await countCheck(parts, caller))
    return verdictOn(parts, { caller, body, request, ...query, signal: callerGone(reply) })
  })
}

interface CheckRequest {
  /** Whether the response has the member `details`. */
  readonly details?: boolean
  readonly caller: KnownUser | ServiceCaller
  readonly body: KeyCheck
  readonly request: FastifyRequest
  /** One of many checks in a batch. */
  readonly isBulk?: true
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/**
 * Counts a check and returns the rate-limit headers of the caller. Throws `rate_limited`. A limit of a credential would let one caller lock
 * out another, and show that somebody else checks it.
 */
export function countCheck({ limits }: KeyCheckParts, caller: KnownUser | ServiceCaller): Promise<LimitHeaders> {
  return limits.take('key-checks', `caller ${idOf(caller)}`)
}

/** `Cache-Control: no-cache` on a request forbids an answer from a cache (RFC 9111 §5.2.1.4). */
function wantsFresh({ headers }: FastifyRequest): boolean {
  return (headers['cache-control'] ?? '').split(',').some((directive) => directive.trim().toLowerCase() === 'no-cache')
}

interface KeyVerdict {
  readonly isValid: boolean
  readonly message: string
  readonly details?: Details
}

/** The verdict, written to the audit log. Throws the problems of `verdictOf`. */
export async function verdictOn(parts: KeyCheckParts, checkRequest: CheckRequest): Promise<KeyVerdict> {
  const { body, details: wantsDetails, request, isBulk: bulk, signal } = checkRequest
  if (body.for !== undefined && !wantsDetails) refusePurpose()
  const caller = checkCaller(parts, checkRequest)
  const fresh = wantsFresh(request)
  // A check that may write runs to its end, also if the client disconnects, so that the audit log has the write.
  const aborts = body.for?.prove === undefined && { signal }
  const check = { ...body, capabilities: wantsDetails, caller, bulk, fresh, ...aborts }
  const { outcome, message, details } = await audited(parts, checkRequest, () =>
    verdictOf(parts.keyChecks.check(check)),
  )
  return { isValid: outcome === 'valid', message, ...(wantsDetails && { details }) }
}

function idOf(caller: KnownUser | ServiceCaller): string {
  return caller.kind === 'service' ? caller.keyId : caller.accountId
}

/** A service key calls from the address of its program, which says nothing about the end user. */
function checkCaller({ failedKeysMax }: KeyCheckParts, { caller, request }: CheckRequest): CheckCaller {
  const network = caller.kind === 'user' ? widestNetworkOf(request.client) : undefined
  return { id: `${caller.kind} ${idOf(caller)}`, failedKeysMax: failedKeysMax[caller.kind], network }
}

/** Rejects `for` without details, because the caller might take the verdict for the answer. */
function refusePurpose(): never {
  const detail = 'The result is in the details: add ?details=true, or omit this member.'
  return refuse('input_invalid', { errors: [{ pointer: '/for', detail }] })
}

/** Records the code of the verdict, or of the problem. */
async function audited(
  parts: KeyCheckParts,
  checkRequest: CheckRequest,
  check: () => Promise<Verdict>,
): Promise<Verdict> {
  try {
    const verdict = await check()
    const { provider, code } = verdict.details
    await record(parts, checkRequest, { provider, outcome: code, ...(verdict.isProofSent && { isProofSent: true }) })
    return verdict
  } catch (error) {
    // Never the caller's text, which may be a pasted key.
    const provider = parts.keyChecks.providerId(checkRequest.body.provider) ?? 'unknown'
    if (error instanceof Problem) await record(parts, checkRequest, { provider, outcome: error.code })
    throw error
  }
}

function record(
  { recordAudit, metrics }: KeyCheckParts,
  { caller, body, request }: CheckRequest,
  result: { readonly provider: string; readonly outcome: string; readonly isProofSent?: true },
): Promise<void> {
  metrics.countKeyCheck(result.outcome)
  return recordAudit({
    action: 'provider_key.checked',
    ...(caller.kind === 'service' ? { serviceKeyId: caller.keyId } : { actorId: caller.accountId }),
    ...originOfRequest(request),
    details: { keyType: body.keyType, ...result },
  })
}

/** The catalogue, for drawing a form. */
export function providers(keyChecks: KeyChecks): Operation<typeof providersContract> {
  // Changes only with a release and the settings.
  const { outgoingAddresses } = keyChecks
  const addresses = outgoingAddresses.length > 0 && { outgoingAddresses }
  const document = staticDocument(() => JSON.stringify({ providers: keyChecks.providers(), ...addresses }))
  return operation(providersContract, (input) =>
    sendDocument(document, input, { type: jsonType, cacheControl: 'public, max-age=300' }),
  )
}
