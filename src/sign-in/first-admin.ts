import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Rows } from '../platform/database/database.ts'
import { Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { createPerson } from './people.ts'

export interface FirstAdmin {
  /** Where the file is. */
  readonly path: string
  /** What it says: an address, a password, a token and three curls. Holds secrets. */
  readonly text: Secret
}

const adminEmail = 'admin@muster.local'

/** On an empty embedded database: one administrator with a random password, written to `first-admin.txt`. Otherwise nothing. */
export async function makeFirstAdmin(
  rows: Rows,
  issuer: BuiltInIssuer,
  config: Config,
): Promise<FirstAdmin | undefined> {
  const [found] = await rows.query<{ empty: boolean }>(emptyStatement, [])
  if (!found?.empty) return undefined
  const password = new Secret(randomBytes(18).toString('base64url'))
  const accountId = await createPerson(rows, { email: adminEmail, password, roleId: 'admin' })
  if (accountId === undefined) return undefined
  const { access_token } = await issuer.tokenFor(accountId)
  const text = new Secret(describe(config, password.open(), access_token))
  const path = join(config.dataDir, 'first-admin.txt')
  writeFileSync(path, text.open(), { mode: 0o600 })
  return { path, text }
}

const emptyStatement = { name: 'accounts_none', text: 'select not exists (select from account) as empty' }

function describe({ publicUrl }: Config, password: string, token: string): string {
  return `The first administrator of this Muster. Keep this file to yourself; delete it when you have signed in.

E-mail:    ${adminEmail}
Password:  ${password}
Token:     ${token}

The token is good for a quarter of an hour. A new one:
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
`
}
