import type { KeyChecks } from '../../key-check/index.ts'
import { type Operation, operation } from '../identity/operation.ts'
import { jsonType, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { callerGone } from '../platform/http/transfer.ts'
import { providerKeysValidateContract, providersContract } from './contract.ts'
import { countCheck, type KeyCheckParts, verdictOn } from './single-check.ts'

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
