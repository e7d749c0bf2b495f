import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rows } from '../platform/database/database.ts'
import { Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { createPasswordAccount, initialPasswordDays } from './passwords/password-accounts.ts'

export interface FirstAdmin {
  /** The file with the text. */
  readonly path: string
  /** An address, a password, a token and four curl commands. Contains secrets. */
  readonly text: Secret
}

export interface FirstAdminSettings {
  readonly publicUrl: string
  /** The folder of `first-admin.txt`. */
  readonly dataDir: string
}

const adminEmail = 'admin@muster.local'

/**
 * In a database without accounts: creates an administrator with a random password and writes `first-admin.txt`.
 * Otherwise returns `undefined` and changes nothing.
 */
export async function makeFirstAdmin(
  rows: Rows,
  issuer: BuiltInIssuer,
  { publicUrl, dataDir }: FirstAdminSettings,
): Promise<FirstAdmin | undefined> {
  const [found] = await rows.query<{ empty: boolean }>(emptyStatement, [])
  if (!found?.empty) return undefined
  const password = new Secret(randomBytes(18).toString('base64url'))
  const accountId = await createPasswordAccount(rows, { email: adminEmail, password, roleId: 'admin', isInitial: true })
  if (accountId === undefined) return undefined
  const { access_token } = await issuer.tokenFor(accountId)
  const text = new Secret(describe(publicUrl, password.open(), access_token))
  const path = join(dataDir, 'first-admin.txt')
  writeFileSync(path, text.open(), { mode: 0o600 })
  return { path, text }
}

const emptyStatement = { name: 'accounts_none', text: 'select not exists (select from account) as empty' }

function describe(publicUrl: string, password: string, token: string): string {
  return `The first administrator of this Muster. This file contains secrets: delete it when you have signed in.

E-mail:    ${adminEmail}
Password:  ${password}
Token:     ${token}

The token is valid for a quarter of an hour. To get a new one:
  npx muster token --email ${adminEmail}

Who is calling:
  curl -s ${publicUrl}/api/v1/user/data \\
    -H 'Authorization: Bearer ${token}'

Who the users are:
  curl -s ${publicUrl}/api/v1/admin/users/fetch \\
    -H 'Authorization: Bearer ${token}'

Whether a provider's key works:
  curl -s ${publicUrl}/api/v1/provider/keys/validate \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"apiKey":"paste your key here","keyType":"api_token"}'

To sign in with the password, replace it within ${initialPasswordDays} days. A sign-in with the one above can do nothing else.
Four or more words that do not belong together make a good one:
  curl -s -X PUT ${publicUrl}/auth/password \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"currentPassword":"${password}","newPassword":"new one"}'
`
}
