import type { Rows } from '../../platform/database/database.ts'
import type { Language } from '../../platform/mail/kinds.ts'

/** The account that has the email, verified or with a password. Both count as taken. A verified one comes first. */
export async function findAccountWithEmail(rows: Rows, address: string): Promise<EmailAccount | undefined> {
  const [account] = await rows.query<EmailAccount>(accountStatement, [address])
  return account
}

interface EmailAccount {
  readonly accountId: string
  readonly language: Language | null
  /** Whether the email is verified. */
  readonly isProved: boolean
}

const accountStatement = {
  name: 'mailed_address_bearer',
  text: `
select a.id as "accountId", a.language, a.is_email_proved as "isProved"
from account a
where a.id in (select account_id from credential where email = $1
               union all
               select id from account where email_proved_at is not null and lower(email) = $1)
order by a.is_email_proved desc
limit 1`,
}
