import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type OpenEmailChange, readEmailChange } from '../recovery/account-links.ts'
import { readOwner, writeInSession } from '../sessions/current-session.ts'

export interface OwnAccount {
  readonly email: string | null
  readonly emailProved: boolean
  /** Null: that of the service. */
  readonly language: Language | null
  readonly emailChange?: OpenEmailChange
}

/** Problems: those of `readCurrentSession`, `act_as_ended`. */
export async function readOwnAccount(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller | ActingCaller,
): Promise<OwnAccount> {
  const { accountId } = await readOwner(database, caller)
  const [row] = await database.query<OwnAccount>(readStatement, [accountId])
  const emailChange = await readEmailChange(database, accountId)
  if (!row) return refuse(caller.kind === 'acting' ? 'act_as_ended' : 'session_ended') // erased since
  return { ...row, ...(emailChange && { emailChange }) }
}

const readStatement = {
  name: 'account_own',
  text: 'select email, is_email_proved as "emailProved", language from account where id = $1',
}

/** Null: that of the service. Problems: those of `readCurrentSession`. */
export async function changeLanguage(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: UserCaller,
  language: Language | null,
): Promise<void> {
  await writeInSession(database, caller, (rows, { accountId }) => rows.query(changeStatement, [accountId, language]))
}

const changeStatement = { name: 'account_language_set', text: 'update account set language = $2 where id = $1' }
