import { type Operation, operation } from '../identity/operation.ts'
import type { Database } from '../platform/database/database.ts'
import { adminUserRecoveryContract } from './contract.ts'
import { type MakeRecoveryLink, makeRecoveryLink } from './operator-actions.ts'
import { changeOf } from './routes.ts'

/** `makeLink` is the built-in issuer's, which keeps passwords and links. */
export function adminUserRecovery(
  database: Database,
  makeLink: MakeRecoveryLink,
): Operation<typeof adminUserRecoveryContract> {
  return operation(adminUserRecoveryContract, async (input) => {
    const resetsFactors = input.body.resetFactors === true
    const { link, expiresAt } = await makeRecoveryLink(database, changeOf(input), { resetsFactors, makeLink })
    return { link, expiresAt: expiresAt.toISOString() }
  })
}
