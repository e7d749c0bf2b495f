import type { Rows } from '../../platform/database/database.ts'
import { builtInIssuer } from '../sessions/access-tokens.ts'
import { displaceUnproved } from './password-accounts.ts'

/**
 * The owner of an account has read a mail to its address, which is normalised. Returns whether this is the first proof of it: then the
 * account loses what may be of someone else who signed up with it, the accounts at other issuers, and every other account loses the
 * address. Factors are for the caller to remove. To be called in a transaction that holds the account.
 */
export async function proveByLink(rows: Rows, accountId: string, email: string): Promise<boolean> {
  const proved = await rows.query(proveStatement, [accountId, email])
  if (proved.length === 0) return false
  await rows.query(foreignStatement, [accountId, builtInIssuer])
  await displaceUnproved(rows, email)
  return true
}

/** An address that another account has proved stays with it. */
const proveStatement = {
  name: 'email_prove',
  text: `
update account a set email = $2, email_proved_at = now(), email_proved_by = 'link'
where a.id = $1 and a.email_proved_at is null
  and not exists (select from account o where o.email_proved_at is not null and lower(o.email) = $2)
returning a.id`,
}

const foreignStatement = {
  name: 'identities_of_others_delete',
  text: `delete from identity where account_id = $1 and issuer <> $2`,
}
