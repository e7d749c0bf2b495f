import { DatabaseError } from 'pg'
import type { Rows } from '../../platform/database/database.ts'
import { displaceUnverified, setEmail } from '../passwords/password-accounts.ts'
import { builtInIssuer } from '../sessions/access-tokens.ts'

/**
 * Records that the owner has read a mail to the account's email, which is normalized. Returns whether this is the first
 * verification. Then the account loses its identities at other issuers, which may belong to someone else, and every
 * other account loses the email. The caller removes the factors. Call it in a transaction that has locked the account.
 */
export async function verifyEmailByLink(rows: Rows, accountId: string, email: string): Promise<boolean> {
  const proved = await rows.query(firstProofStatement, [accountId, email])
  if (proved.length === 0) return false
  await removeForeignIdentities(rows, accountId)
  await displaceUnverified(rows, email)
  return true
}

/**
 * Gives the account this email as verified, and removes it from accounts that have it unverified. Returns false if
 * another account has verified the email, which is normalized: then roll the transaction back. Call it in a transaction
 * that has locked the account.
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
    // Another account verified the same email concurrently.
    if (error instanceof DatabaseError && error.code === '23505') return false
    throw error
  }
}

/** Removes identities at other issuers that were linked before the email was verified. */
export async function removeForeignIdentities(rows: Rows, accountId: string): Promise<void> {
  await rows.query(foreignStatement, [accountId, builtInIssuer])
}

/** An email that another account has verified stays with that account. */
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
