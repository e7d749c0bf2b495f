import type { FastifyRequest } from 'fastify'
import type { KnownCaller } from '../identity/caller.ts'
import { type Operation, operation } from '../identity/operation.ts'
import { originOfRequest, recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { callerGone } from '../platform/http/caller-gone.ts'
import { jsonType, type StaticDocument, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Problem } from '../platform/problems.ts'
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts'
import { Secret } from '../platform/secret.ts'
import { type KeyCheck, providerKeysValidateContract, providersContract } from './contract.ts'
import type { Validation, Verdict } from './engine/check.ts'
import { fingerprintOf } from './engine/credential.ts'
import { cleanedKey } from './engine/pasted.ts'

export interface KeyCheckParts {
  readonly database: Rows
  readonly validation: Validation
  readonly limits: RateLimits<'key-checks'>
  /** Shared by all nodes, so that a credential has one fingerprint on all of them. */
  readonly fingerprintKey: Buffer
  readonly metrics: Pick<Metrics, 'countKeyCheck'>
}

/** An oracle for stolen keys, so: a permission, rate limits by caller and by credential, and an entry in the audit trail. */
export function providerKeysValidate(parts: KeyCheckParts): Operation<typeof providerKeysValidateContract> {
  const { validation, limits, fingerprintKey } = parts
  return operation(providerKeysValidateContract, async ({ caller, query, body, request, reply }) => {
    const [byCaller] = await Promise.all([
      limits.take('key-checks', `caller ${caller.id}`),
      limits.take(
        'key-checks',
        `credential ${fingerprintOf([body.provider ?? '', cleanedKey(body.apiKey)], fingerprintKey)}`,
      ),
    ])
    reply.headers(byCaller)

    const { apiKey, parts: others, ...rest } = body
    const wantsDetails = query.details === true
    const secrets = { apiKey: new Secret(apiKey), parts: secretsOf(others) }
    const check = { ...rest, ...secrets, details: wantsDetails, signal: callerGone(reply) }
    const { isValid, message, details } = await audited(parts, { caller, body, request }, () => validation.check(check))
    return wantsDetails ? { isValid, message, details } : { isValid, message }
  })
}

/** Every part is a secret: which of them would do harm is known to the provider file only. */
function secretsOf(parts: KeyCheck['parts'] = {}): Record<string, Secret> {
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, new Secret(value)]))
}

interface Checked {
  readonly caller: KnownCaller
  readonly body: KeyCheck
  readonly request: FastifyRequest
}

/** Records the outcome: the code of the verdict, or of the problem where there is none. */
async function audited(parts: KeyCheckParts, checked: Checked, check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const verdict = await check()
    await record(parts, checked, verdict.details.provider, verdict.details.code)
    return verdict
  } catch (error) {
    if (error instanceof Problem) await record(parts, checked, checked.body.provider ?? 'default', error.code)
    throw error
  }
}

function record(
  { database, metrics }: KeyCheckParts,
  { caller, body, request }: Checked,
  provider: string,
  outcome: string,
): Promise<void> {
  metrics.countKeyCheck(outcome)
  return recordAudit(database, {
    action: 'provider_key.checked',
    ...(caller.kind === 'service' ? { serviceKeyId: caller.id } : { actorId: caller.id }),
    ...originOfRequest(request),
    details: { provider, keyType: body.keyType, outcome },
  })
}

/** The catalogue, for drawing a form. */
export function providers(validation: Validation): Operation<typeof providersContract> {
  let document: Promise<StaticDocument> | undefined
  return operation(providersContract, async (input) => {
    // Unchanged until the next release.
    document ??= staticDocument(JSON.stringify({ providers: validation.catalogue() }))
    return sendDocument(await document, input, { type: jsonType, maxAgeSeconds: 300 })
  })
}
