import { createHash } from 'node:crypto'
import type { Rows } from '../database/database.ts'
import { lockStatement } from '../database/named-locks.ts'

/** Maximum number of requested mails to one email, for all requests together. */
const mailsMax = { inHour: 3, inDay: 10 } as const

/** Counts one mail to the email. Returns false if it has had too many. Call it in a transaction. */
export async function takeMailQuota(rows: Rows, address: string, requestId: string): Promise<boolean> {
  await rows.query(addressLock, [address])
  const hash = createHash('sha256').update(address).digest()
  const [mails] = await rows.query<{ hour: number; day: number }>(mailsStatement, [hash])
  if (!mails || mails.hour >= mailsMax.inHour || mails.day >= mailsMax.inDay) return false
  await rows.query(countStatement, [requestId, hash])
  return true
}

/**
 * One of 1,024 lock names, because a row per email would be too many. Without the lock, requests at the same moment would
 * all count the same earlier mails. No transaction takes two of them.
 */
const addressLock = lockStatement('mailed_address_lock', `'mails to ' || (hashtextextended($1::text, 0) & 1023)`)

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
