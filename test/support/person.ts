import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import type { Rows } from '../../src/platform/database/database.ts'
import { normalizeEmail } from '../../src/platform/email.ts'
import { Secret } from '../../src/platform/secret.ts'
import { insertPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { hashPassword } from '../../src/sign-in/passwords/passwords.ts'
import type { FreshDatabase } from './database.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly password: string
  readonly token: string
}

export interface PersonOptions {
  readonly role?: string
  readonly email?: string
  readonly password?: string
}

/** The token of an operator's session, made one of the person's own: as after a sign-in, without the time that a password takes. */
export async function asOwnSession({ sql }: Pick<FreshDatabase, 'sql'>, token: string): Promise<string> {
  const { sid } = decodeJwt<{ sid: string }>(token)
  await sql(
    `with own as (update session set amr = '{pwd}' where id = $1 returning id, account_id)
     update account a set first_session = own.id::text from own where a.id = own.account_id and a.first_session is null`,
    [sid],
  )
  return token
}

/** An account with a password, and a token of a session of its own. */
export async function createPerson(
  rows: Rows,
  tokenFor: (accountId: string) => Promise<string>,
  { role = 'user', email = `${randomBytes(6).toString('hex')}@example.com`, password = 'correct horse' }: PersonOptions,
): Promise<Person> {
  const passwordHash = await hashOf(password)
  const id = await insertPasswordAccount(rows, {
    email: normalizeEmail(email),
    passwordHash,
    roleId: role,
    provedBy: 'operator',
  })
  if (id === undefined) throw new Error(`no person could be made for ${email}`)
  return { id, email, password, token: await tokenFor(id) }
}

const hashes = new Map<string, Promise<string>>()

/** Each password is hashed once for all tests of a worker: hashing it for each person would be a tenth of what the tests compute. */
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(new Secret(password))
  hashes.set(password, hash)
  return hash
}
