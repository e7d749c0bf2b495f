import type { Rows } from '../../platform/database/database.ts'
import type { Secret } from '../../platform/secret.ts'
import { builtInIssuer } from '../sessions/access-tokens.ts'
import { hashPassword } from './passwords.ts'

/** An account with a password, in the table `credential`. */
export interface PasswordAccount {
  readonly accountId: string
  /** Normalised. */
  readonly email: string
  readonly passwordHash: string
  readonly isDisabled: boolean
}

/** The spelling of an address in the table `credential`: one for each mailbox. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

export interface NewPasswordAccount {
  readonly email: string
  readonly password: Secret
  readonly roleId: string
}

/** Returns the account's id, or `undefined` where the address is taken. */
export async function createPasswordAccount(
  rows: Rows,
  { email, password, roleId }: NewPasswordAccount,
): Promise<string | undefined> {
  return insertPasswordAccount(rows, {
    email: normalizeEmail(email),
    passwordHash: await hashPassword(password),
    roleId,
  })
}

/** The same with a password that is hashed already, so that no transaction stays open while it is hashed. */
export async function insertPasswordAccount(
  rows: Rows,
  { email, passwordHash, roleId }: { readonly email: string; readonly passwordHash: string; readonly roleId: string },
): Promise<string | undefined> {
  const values = [email, passwordHash, roleId, builtInIssuer]
  const [row] = await rows.query<{ account_id: string }>(insertStatement, values)
  return row?.account_id
}

/** `email` is normalised. */
export async function findPasswordAccount(rows: Rows, email: string): Promise<PasswordAccount | undefined> {
  const [row] = await rows.query<PasswordAccount>(findStatement, [email])
  return row
}

/** Replaces the hash that was read. Returns false, and changes nothing, where another call replaced it first. */
export async function replacePasswordHash(
  rows: Rows,
  account: PasswordAccount,
  passwordHash: string,
): Promise<boolean> {
  const replaced = await rows.query(replaceStatement, [account.accountId, account.passwordHash, passwordHash])
  return replaced.length === 1
}

const insertStatement = {
  name: 'password_account_insert',
  text: `
with added as (
  insert into credential (account_id, email, password)
  values (uuid_v7(), $1, $2)
  on conflict (email) do nothing
  returning account_id
), new_account as (
  insert into account (id, email, role_id) select account_id, $1, $3 from added
), new_identity as (
  insert into identity (issuer, subject, account_id) select $4, account_id::text, account_id from added
)
select account_id from added`,
}

const findStatement = {
  name: 'password_account_find',
  text: `
select c.account_id as "accountId", c.email, c.password as "passwordHash", a.disabled_at is not null as "isDisabled"
from credential c
join account a on a.id = c.account_id
where c.email = $1`,
}

const replaceStatement = {
  name: 'password_hash_replace',
  text: `update credential set password = $3 where account_id = $1 and password = $2 returning account_id`,
}
