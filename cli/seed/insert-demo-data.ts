import { randomBytes } from 'node:crypto'
import type { Rows } from '../../src/platform/database/database.ts'
import { insertRows } from '../../src/platform/database/insert-rows.ts'
import type { Secret } from '../../src/platform/secret.ts'
import { type Encryption, factorContext } from '../../src/sign-in/keys/encryption.ts'
import { hashPassword } from '../../src/sign-in/passwords/passwords.ts'
import { builtInIssuer } from '../../src/sign-in/sessions/access-tokens.ts'
import type { DemoData } from './demo-data.ts'

/** How the demo users sign in: all with one password. */
export interface DemoSignIn {
  readonly password: Secret
  readonly encryption: Encryption
}

/**
 * Inserts demo data and returns the number of new rows of each table. Existing rows stay unchanged, so that a second run changes
 * nothing. Without `signIn` no demo user can sign in, as where the built-in issuer is switched off.
 */
export async function insertDemoData(
  rows: Rows,
  data: DemoData,
  signIn: DemoSignIn | undefined,
): Promise<ReadonlyMap<string, number>> {
  const inserted = new Map<string, number>()
  const tables = [...data.tables, ...(signIn ? await signInTables(data, signIn) : [])]
  for (const [table, values] of tables) inserted.set(table, await insertRows(rows, table, values))
  return inserted
}

async function signInTables(
  { people, factors }: DemoData,
  { password, encryption }: DemoSignIn,
): Promise<DemoData['tables']> {
  // One hash for all: they share the password, and each hash takes 20 ms.
  const phc = await hashPassword(password)
  return [
    ['identity', people.map(({ id }) => ({ issuer: builtInIssuer, subject: id, account_id: id }))],
    ['credential', people.map(({ id, email }) => ({ account_id: id, email, password: phc }))],
    [
      'factor',
      factors.map(({ id, accountId, name }) => ({
        id,
        account_id: accountId,
        friendly_name: name,
        secret: `\\x${encryption.encrypt(randomBytes(20), factorContext(id)).toString('hex')}`,
        verified_at: '2026-06-30T00:00:00Z',
      })),
    ],
  ]
}
