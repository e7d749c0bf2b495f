import { recordAudit } from '../../platform/audit/audit.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { endEmailLinks } from '../recovery/account-links.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { writeInSession } from '../sessions/current-session.ts'

/**
 * Ends the links of a change of address that is not confirmed. It asks for no proof: it takes nothing from the account.
 * Problems: those of `readCurrentSession`.
 */
export async function withdrawEmailChange(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller,
  client: Client,
): Promise<void> {
  await writeInSession(database, caller, async (rows, { accountId }) => {
    if (!(await endEmailLinks(rows, accountId))) return
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(rows, { action: 'account.email_withdrawn', actorId: accountId, target, ...originOf(client) })
  })
}
