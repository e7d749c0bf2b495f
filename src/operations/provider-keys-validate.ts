import { requirePermission } from '../accounts/standing.ts'
import { providerKeysValidateContract } from '../contract/provider-keys-validate.ts'
import type { Rows } from '../database/database.ts'
import { Secret } from '../secret.ts'
import { callerGone } from '../server/caller-gone.ts'
import { type Operation, operation } from '../server/operation.ts'
import type { Validation } from '../validation/validate.ts'

export function providerKeysValidate(rows: Rows, validation: Validation): Operation {
  return operation(providerKeysValidateContract, async ({ caller, query, body, reply }) => {
    await requirePermission(rows, caller, { resource: 'provider_keys', action: 'validate' })
    const { apiKey, ...rest } = body
    const wantsDetails = query.details === true
    const verdict = await validation.check({
      ...rest,
      apiKey: new Secret(apiKey),
      details: wantsDetails,
      signal: callerGone(reply),
    })
    const { isValid, message, details } = verdict
    return wantsDetails ? { isValid, message, details } : { isValid, message }
  })
}
