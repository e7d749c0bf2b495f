import { lockAccount } from '../../identity/lock-account.ts'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { deleteChallenges } from '../factors/challenges.ts'
import { removeFactorsSince } from '../factors/manage-factors.ts'
import { emptyAccountBuckets } from '../guessing/account-buckets.ts'
import { removeDevices } from '../guessing/devices.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { expirePassword } from '../passwords/password-accounts.ts'
import { endAccountLinks, findAccountLink, spendAccountLink, undoPurposes } from '../recovery/account-links.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { proveAddress } from './prove-address.ts'

/**
 * Puts an earlier address of an account back. Everything that opens the account ends, also the password and the factors that were added
 * since: only a recovery, which the owner of the address asks for, lets anyone in again. Problem: `link_invalid`, for whichever reason.
 */
export async function undoEmailChange({ database }: BuiltInIssuer, token: Secret, client: Client): Promise<void> {
  const hash = opaqueTokenHash(token.open())
  const { accountId } = (await findAccountLink(database, hash, undoPurposes)) ?? refuse('link_invalid')
  await database.transaction(async (rows) => {
    await lockAccount(rows, accountId)
    const { address, createdAt } = (await findAccountLink(rows, hash, undoPurposes)) ?? refuse('link_invalid')
    if (address === null || !(await spendAccountLink(rows, hash))) refuse('link_invalid')
    if (!(await proveAddress(rows, accountId, address))) refuse('link_invalid')
    await expirePassword(rows, accountId)
    await removeFactorsSince(rows, accountId, createdAt)
    await emptyAccountBuckets(rows, accountId)
    await endSessionsOf(rows, accountId)
    await deleteChallenges(rows, accountId)
    await removeDevices(rows, accountId)
    await endAccountLinks(rows, accountId, { alsoUndo: true })
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.email_undone', actorId: accountId, target, ...originOf(client) })
  })
}
