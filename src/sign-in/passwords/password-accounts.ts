import { DatabaseError } from 'pg'
import { displacementCtes } from '../../identity/displacement.ts'
import { isKeepable } from '../../identity/erasure.ts'
import { builtInIssuer } from '../../identity/issuers/names.ts'
import type { Rows } from '../../platform/database/database.ts'
import { normalizeEmail } from '../../platform/email.ts'
import { normalizeDisplayName } from '../../platform/http/formats.ts'
import type { Secret } from '../../platform/secret.ts'
import { hashPassword } from './passwords.ts'

/** An account with a password (table `credential`). */
export interface PasswordAccount {
  readonly accountId: string
  /** Normalized. */
  readonly email: string
  readonly passwordHash: string
  /** Also true if the account is scheduled for deletion and its owner can no longer restore it. */
  readonly isDisabled: boolean
  /** When the account is deleted. Until then its owner can restore it. */
  readonly erasesAt: Date | null
  /** The password was generated and not changed in time. */
  readonly isExpired: boolean
  readonly securityEpoch: number
}

/** Days until a generated password expires (ASVS 6.4.1). */
export const initialPasswordDays = 7

interface NewPasswordAccount {
  readonly email: string
  readonly password: Secret
  readonly roleId: string
  readonly displayName?: string | undefined
  /** The password was generated and must be changed. */
  readonly isInitial?: boolean
}

/**
 * Creates an account on behalf of an operator, with a verified email. Returns its id, or `undefined` if the email
 * already has a password.
 */
export async function createPasswordAccount(
  rows: Rows,
  { email, password, roleId, displayName, isInitial = false }: NewPasswordAccount,
): Promise<string | undefined> {
  return insertPasswordAccount(rows, {
    email: normalizeEmail(email),
    passwordHash: await hashPassword(password),
    roleId,
    displayName,
    isInitial,
    provedBy: 'operator',
  })
}

interface HashedPasswordAccount extends Omit<NewPasswordAccount, 'password'> {
  readonly passwordHash: string
  /** What verified the email. Absent for an unverified email. */
  readonly provedBy?: 'operator' | 'invitation' | 'link' | undefined
}

/**
 * Like `createPasswordAccount`, for a password that is already hashed, so that no transaction stays open during
 * hashing. Only an operator can create an account for an email that an invitation reserves or that another account has
 * verified.
 */
export async function insertPasswordAccount(
  rows: Rows,
  { email, passwordHash, roleId, displayName, isInitial = false, provedBy }: HashedPasswordAccount,
): Promise<string | undefined> {
  const initialDays = isInitial ? initialPasswordDays : null
  const name = displayName === undefined ? null : normalizeDisplayName(displayName)
  const values = [email, passwordHash, roleId, builtInIssuer, initialDays, provedBy ?? null, name]
  const [row] = await rows.query<{ account_id: string }>(insertStatement, values)
  return row?.account_id
}

/**
 * Removes the email and the password from accounts that have this email unverified, because its owner has verified it.
 * Call it in a transaction.
 */
export async function displaceUnverified(rows: Rows, email: string): Promise<void> {
  await rows.query(displaceStatement, [email])
}

/** `email` is normalized. */
export async function findPasswordAccount(rows: Rows, email: string): Promise<PasswordAccount | undefined> {
  const [row] = await rows.query<PasswordAccount>(findStatement, [email])
  return row
}

/**
 * Replaces the hash that was read by a new hash of the same password. Returns false if it was replaced in the meantime.
 */
export async function upgradePasswordHash(
  rows: Rows,
  account: PasswordAccount,
  passwordHash: string,
): Promise<boolean> {
  const values = [account.accountId, account.passwordHash, passwordHash]
  return (await rows.query(upgradeStatement, values)).length === 1
}

/**
 * Replaces the hash that was read by the hash of another password. Sessions that had to change the password are freed.
 * Returns false, and changes nothing, if another call replaced the hash first.
 */
export async function replacePasswordHash(
  rows: Rows,
  account: PasswordAccount,
  passwordHash: string,
): Promise<boolean> {
  const replaced = await rows.query(replaceStatement, [account.accountId, account.passwordHash, passwordHash])
  return replaced.length === 1
}

/** Sets a password that the owner has chosen, whatever the current one is. */
export async function setPasswordHash(rows: Rows, accountId: string, passwordHash: string): Promise<void> {
  await rows.query(setStatement, [accountId, passwordHash])
}

/** The normalized email that the account signs in with. `undefined` without a password. */
export async function findSignInEmail(rows: Rows, accountId: string): Promise<string | undefined> {
  const [row] = await rows.query<{ email: string }>(emailStatement, [accountId])
  return row?.email
}

/** Expires the password of the account: its owner must choose another one with a link. */
export async function expirePassword(rows: Rows, accountId: string): Promise<void> {
  await rows.query(expireStatement, [accountId])
}

/**
 * Changes the email that the account signs in with and displays. Returns false, and changes nothing, if the account has
 * no password. A taken email is database error 23505.
 */
export async function setEmail(rows: Rows, accountId: string, email: string): Promise<boolean> {
  return (await rows.query(setEmailStatement, [accountId, email])).length === 1
}

/**
 * $1 email, $2 hash, $3 role, $4 issuer, $5 days until an initial password expires, or null, $6 what verified the
 * email, or null, $7 name or null.
 */
const insertStatement = {
  name: 'password_account_insert',
  text: `
with proved as (
  select from account a where a.email_proved_at is not null and lower(a.email) = $1
), reserved as (
  select from sign_up_invitation i where i.email = $1 and i.used_at is null and i.expires_at > now()
), added as (
  insert into credential (account_id, email, password, initial_until)
  select uuid_v7(), $1, $2, now() + make_interval(days => $5)
  where $6::text is not distinct from 'operator' or not (exists (select from proved) or exists (select from reserved))
  on conflict (email) do nothing
  returning account_id
), new_account as (
  insert into account (id, email, role_id, email_proved_at, email_proved_by, display_name)
  select account_id, $1, $3, case when proves then now() end, case when proves then $6 end, $7
  from added, (select $6 is not null and not exists (select from proved) as proves) proof
), new_identity as (
  insert into identity (issuer, subject, account_id) select $4, account_id::text, account_id from added
)
select account_id from added`,
}

const displaceStatement = {
  name: 'account_displace',
  text: `with ${displacementCtes({ email: '$1', isProved: 'true' })} select id from displaced`,
}

const findStatement = {
  name: 'password_account_find',
  text: `
select c.account_id as "accountId", c.email, c.password as "passwordHash",
       a.disabled_at is not null and not coalesce(${isKeepable}, false) as "isDisabled",
       case when ${isKeepable} then a.erases_at end as "erasesAt",
       coalesce(c.initial_until <= now(), false) as "isExpired", a.security_epoch as "securityEpoch"
from credential c
join account a on a.id = c.account_id
where c.email = $1`,
}

const upgradeStatement = {
  name: 'password_hash_upgrade',
  text: `update credential set password = $3, hashed_at = now() where account_id = $1 and password = $2 returning account_id`,
}

const replaceStatement = {
  name: 'password_hash_replace',
  text: `
with replaced as (
  update credential set password = $3, hashed_at = now(), initial_until = null where account_id = $1 and password = $2 returning account_id
), freed as (
  update session s set must_change_password = false from replaced r where s.account_id = r.account_id and s.must_change_password
)
select account_id from replaced`,
}

const setStatement = {
  name: 'password_hash_set',
  text: `update credential set password = $2, hashed_at = now(), initial_until = null where account_id = $1`,
}

const emailStatement = { name: 'password_account_email', text: 'select email from credential where account_id = $1' }

const expireStatement = {
  name: 'password_expire',
  text: `update credential set initial_until = now() where account_id = $1`,
}

/** The new email counts as unverified. */
const setEmailStatement = {
  name: 'password_account_email_set',
  text: `
with display as (update account set email = $2 where id = $1)
update credential set email = $2 where account_id = $1 returning account_id`,
}

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
