import { createHash } from 'node:crypto'
import type { Rows } from '../../platform/database/database.ts'
import type { Language } from '../../platform/mail/kinds.ts'

/**
 * Maximum number of mails to one unverified email, for all requests together. Beyond it nothing is sent, and the
 * response is the same.
 */
const mailsMax = { inHour: 3, inDay: 10 } as const

/** Counts one mail to the email. Returns false if it has had too many. Call it in a transaction. */
export async function takeMailQuota(rows: Rows, address: string, requestId: string): Promise<boolean> {
  const hash = createHash('sha256').update(address).digest()
  const [mails] = await rows.query<{ hour: number; day: number }>(mailsStatement, [hash])
  if (!mails || mails.hour >= mailsMax.inHour || mails.day >= mailsMax.inDay) return false
  await rows.query(countStatement, [requestId, hash])
  return true
}

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

const mailsStatement = {
  name: 'mailed_address_mails',
  text: `
select count(*) filter (where created_at > now() - interval '1 hour')::int as hour, count(*)::int as day
from mail_request where address_hash = $1 and created_at > now() - interval '1 day'`,
}

const countStatement = {
  name: 'mailed_address_count',
  text: `update mail_request set address_hash = $2 where id = $1`,
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
