import { randomBytes } from 'node:crypto'
import type { Rows } from '../../src/platform/database/database.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'

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

/** An account with a password, and a token of a session of its own. */
export async function createPerson(
  rows: Rows,
  tokenFor: (accountId: string) => Promise<string>,
  { role = 'user', email = `${randomBytes(6).toString('hex')}@example.com`, password = 'correct horse' }: PersonOptions,
): Promise<Person> {
  const id = await createPasswordAccount(rows, { email, password: new Secret(password), roleId: role })
  if (id === undefined) throw new Error(`no person could be made for ${email}`)
  return { id, email, password, token: await tokenFor(id) }
}
