import type { Rows } from '../database/database.ts'
import type { Secret } from '../secret.ts'
import { builtInIssuer } from './access-tokens.ts'
import { hashPassword, isPassword } from './passwords.ts'

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
  const values = [normalizeEmail(email), await hashPassword(password), roleId, builtInIssuer]
  const [row] = await rows.query<{ account_id: string }>(createStatement, values)
  return row?.account_id
}

/** The account with this address and password, or nothing; the same work is done for unknown and disabled ones. */
export async function findPerson(rows: Rows, email: string, password: Secret): Promise<string | undefined> {
  const [row] = await rows.query<FoundRow>(findStatement, [normalizeEmail(email)])
  const isRight = await isPassword(row?.password, password)
  return row && isRight && !row.disabled ? row.account_id : undefined
}

interface FoundRow {
  readonly account_id: string
  readonly password: string
  readonly disabled: boolean
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
select c.account_id, c.password, a.disabled_at is not null as disabled
from credential c
join account a on a.id = c.account_id
where c.email = $1`,
}
