import { DatabaseError } from 'pg'
import type { Rows } from '../../platform/database/database.ts'
import { displaceUnverified, setEmail } from '../passwords/password-accounts.ts'
import { builtInIssuer } from '../sessions/access-tokens.ts'

/**
 * The owner of an account has read a mail to its address, which is normalised. Returns whether this is the first proof of it: then the
 * account loses what may be of someone else who signed up with it, the accounts at other issuers, and every other account loses the
 * address. Factors are for the caller to remove. To be called in a transaction that holds the account.
 */
export async function verifyEmailByLink(rows: Rows, accountId: string, email: string): Promise<boolean> {
  const proved = await rows.query(firstProofStatement, [accountId, email])
  if (proved.length === 0) return false
  await removeForeignIdentities(rows, accountId)
  await displaceUnverified(rows, email)
  return true
}

/**
 * The account has the address from now on, with a proof of it, and every account that bears it without one loses it. To be called in a
 * transaction that holds the account, and is rolled back where this is false: another account has proved the address, which is normalised.
 */
export async function verifyEmail(
  rows: Rows,
  accountId: string,
  address: string,
  provedBy: 'link' | 'operator' = 'link',
): Promise<boolean> {
  try {
    if ((await rows.query(proveStatement, [accountId, address, provedBy])).length === 0) return false
    await displaceUnverified(rows, address)
    return await setEmail(rows, accountId, address)
  } catch (error) {
    // Of two accounts that prove one address at once, the later one.
    if (error instanceof DatabaseError && error.code === '23505') return false
    throw error
  }
}

/** Accounts at other issuers that were linked before the address was proved. */
export async function removeForeignIdentities(rows: Rows, accountId: string): Promise<void> {
  await rows.query(foreignStatement, [accountId, builtInIssuer])
}

/** An address that another account has proved stays with it. */
const canVerify = `not exists (
  select from account o where o.email_proved_at is not null and lower(o.email) = $2 and o.id <> a.id)`

const firstProofStatement = {
  name: 'email_prove',
  text: `update account a set email = $2, email_proved_at = now(), email_proved_by = 'link'
where a.id = $1 and a.email_proved_at is null and ${canVerify} returning a.id`,
}

const proveStatement = {
  name: 'address_prove',
  text: `update account a set email = $2, email_proved_at = now(), email_proved_by = $3
where a.id = $1 and ${canVerify} returning a.id`,
}

const foreignStatement = {
  name: 'identities_of_others_delete',
  text: `delete from identity where account_id = $1 and issuer <> $2`,
}
