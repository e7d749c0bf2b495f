import type { Rows } from '../platform/database/database.ts'
import type { Secret } from '../platform/secret.ts'
import { hashPassword } from './passwords/passwords.ts'
import { builtInIssuer } from './sessions/access-tokens.ts'

/** An address as the table `credential` knows it: one spelling for each mailbox. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

export interface NewPerson {
  readonly email: string
  readonly password: Secret
  readonly roleId: string
}

/** An account that signs in here with a password; answers its id, or nothing where the address is taken. */
export async function createPerson(rows: Rows, { email, password, roleId }: NewPerson): Promise<string | undefined> {
  return insertPerson(rows, { email: normalizeEmail(email), passwordHash: await hashPassword(password), roleId })
}

/** The same, for a password that was hashed before, so that no connection waits for that. */
export async function insertPerson(
  rows: Rows,
  { email, passwordHash, roleId }: { readonly email: string; readonly passwordHash: string; readonly roleId: string },
): Promise<string | undefined> {
  const values = [email, passwordHash, roleId, builtInIssuer]
  const [row] = await rows.query<{ account_id: string }>(createStatement, values)
  return row?.account_id
}

/** Somebody who has a password here. */
export interface Person {
  readonly accountId: string
  /** Normalised. */
  readonly email: string
  readonly passwordHash: string
  readonly isDisabled: boolean
}

/** `email` is normalised. */
export async function findPerson(rows: Rows, email: string): Promise<Person | undefined> {
  const [row] = await rows.query<Person>(findStatement, [email])
  return row
}

/** Puts a new hash in the place of the one that was read; where somebody else was faster, theirs stays. */
export async function replacePasswordHash(rows: Rows, person: Person, passwordHash: string): Promise<boolean> {
  const replaced = await rows.query(replaceStatement, [person.accountId, person.passwordHash, passwordHash])
  return replaced.length === 1
}

const createStatement = {
  name: 'person_create',
  text: `
with taken as (
  insert into credential (account_id, email, password)
  values (uuid_v7(), $1, $2)
  on conflict (email) do nothing
  returning account_id
), made as (
  insert into account (id, email, role_id) select account_id, $1, $3 from taken
), known as (
  insert into identity (issuer, subject, account_id) select $4, account_id::text, account_id from taken
)
select account_id from taken`,
}

const findStatement = {
  name: 'person_find',
  text: `
select c.account_id as "accountId", c.email, c.password as "passwordHash", a.disabled_at is not null as "isDisabled"
from credential c
join account a on a.id = c.account_id
where c.email = $1`,
}

const replaceStatement = {
  name: 'person_password',
  text: `update credential set password = $3 where account_id = $1 and password = $2 returning account_id`,
}
