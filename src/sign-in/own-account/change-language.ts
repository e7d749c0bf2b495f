import type { Caller } from '../../identity/caller.ts'
import type { Language } from '../../platform/mail/kinds.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { readCurrentSession } from '../sessions/current-session.ts'

/** Null: that of the service. Problems: those of `readCurrentSession`. */
export async function changeLanguage(
  { database }: Pick<BuiltInIssuer, 'database'>,
  caller: Caller,
  language: Language | null,
): Promise<void> {
  const { accountId } = await readCurrentSession(database, caller)
  await database.query(changeStatement, [accountId, language])
}

const changeStatement = { name: 'account_language_set', text: 'update account set language = $2 where id = $1' }
