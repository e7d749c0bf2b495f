import { type ErasureRequestSettings, eraseAccount } from '../../identity/erase-account.ts'
import { requestErasure } from '../../identity/erasure.ts'
import { type Preferences, preferencePairs, setPreferences } from '../../identity/preferences.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type OpenEmailChange, readEmailChange } from '../links/account-links.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { readCurrentSession, readOwner, writeInSession } from '../sessions/current-session.ts'

export interface OwnAccount extends Preferences {
  readonly email: string | null
  readonly emailProved: boolean
  readonly emailChange?: OpenEmailChange
}

/** Problems: those of `readCurrentSession`, `act_as_ended`. */
export async function readOwnAccount(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller | ActingCaller,
): Promise<OwnAccount> {
  const { accountId } = await readOwner(database, caller)
  const [row] = await database.query<{ readonly account: OwnAccount }>(readStatement, [accountId])
  const emailChange = await readEmailChange(database, accountId)
  if (!row) return refuse(caller.kind === 'acting' ? 'act_as_ended' : 'session_ended') // erased since
  return { ...row.account, ...(emailChange && { emailChange }) }
}

const readStatement = {
  name: 'account_own',
  text: `
select json_build_object('email', a.email, 'emailProved', a.is_email_proved, ${preferencePairs}) as account
from account a where a.id = $1`,
}

/** Answers all preferences as they are now. Problems: those of `readCurrentSession`. */
export async function changePreferences(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller,
  changes: Partial<Preferences>,
): Promise<Preferences> {
  return writeInSession(
    database,
    caller,
    async (rows, { accountId }) => (await setPreferences(rows, accountId, changes)) ?? refuse('session_ended'),
  )
}

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
