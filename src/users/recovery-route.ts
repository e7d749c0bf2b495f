import { type Operation, operation } from '../identity/operation.ts'
import type { Database } from '../platform/database/database.ts'
import { adminUserRecoveryContract } from './contract.ts'
import { type MakeRecoveryLink, makeRecoveryLink } from './operator-actions.ts'
import { changeOf } from './routes.ts'

/** `makeLink` comes from the built-in issuer, which stores passwords and links. */
export function adminUserRecovery(
  database: Database,
  makeLink: MakeRecoveryLink,
): Operation<typeof adminUserRecoveryContract> {
  return operation(adminUserRecoveryContract, async (input) => {
    const resetsFactors = input.body.resetFactors === true
    const made = await makeRecoveryLink(database, changeOf(input), { resetsFactors, makeLink })
    if (made) return { link: made.link, expiresAt: made.expiresAt.toISOString() }
    input.reply.code(202)
    return {}
  })
}
