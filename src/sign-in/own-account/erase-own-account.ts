import { type ErasureRequestSettings, eraseAccount } from '../../identity/erase-account.ts'
import { requestErasure } from '../../identity/erasure.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { readCurrentSession } from '../sessions/current-session.ts'

/**
 * Has the caller's account erased, and answers when: at once where accounts are not kept any longer.
 * Problems: those of `readCurrentSession`, `last_administrator`, `last_owner`, `subscription_active`.
 */
export async function eraseOwnAccount(
  { database }: BuiltInIssuer,
  settings: ErasureRequestSettings,
  caller: UserCaller,
  client: Client,
): Promise<Date> {
  const { accountId } = await readCurrentSession(database, caller)
  const { afterDays, acceptedIssuers, outbox } = settings
  const erasesAt = await database.transaction((rows) =>
    requestErasure(rows, {
      accountId,
      afterDays,
      acceptedIssuers,
      outbox,
      actorId: accountId,
      origin: originOf(client),
      // Of two calls at once the second has no session any more.
      requireCaller: () => readCurrentSession(rows, caller),
    }),
  )
  if (afterDays === 0) await eraseAccount(database, settings, accountId)
  return erasesAt
}
