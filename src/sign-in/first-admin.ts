import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasAdministrator } from '../identity/administrators.ts'
import type { Rows } from '../platform/database/database.ts'
import { Secret } from '../platform/secret.ts'
import { StartError } from '../platform/start-error.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { createPasswordAccount, initialPasswordDays } from './passwords/password-accounts.ts'
import { breachFault, passwordFault } from './passwords/password-rules.ts'

export interface FirstAdmin {
  /** The file with the text. */
  readonly path: string
  /** What a terminal shows of it: where to sign in, with which password, and where the rest is. Contains secrets. */
  readonly summary: Secret
}

interface FirstAdminSettings {
  readonly email: string
  readonly publicUrl: string
  /** The folder of `first-admin.txt`. */
  readonly dataDir: string
  readonly servesConsole: boolean
}

/**
 * In a database without accounts: creates an administrator with a random password and writes `first-admin.txt`.
 * Otherwise returns `undefined` and changes nothing.
 */
export async function makeFirstAdmin(
  rows: Rows,
  issuer: BuiltInIssuer,
  { email, publicUrl, dataDir, servesConsole }: FirstAdminSettings,
): Promise<FirstAdmin | undefined> {
  const [found] = await rows.query<{ empty: boolean }>(emptyStatement, [])
  if (!found?.empty) return undefined
  const password = new Secret(randomBytes(18).toString('base64url'))
  const accountId = await createPasswordAccount(rows, { email, password, roleId: 'admin', isInitial: true })
  if (accountId === undefined) return undefined
  const { access_token } = await issuer.tokenFor(accountId)
  const credentials = { email, password: password.open(), token: access_token }
  const path = join(dataDir, 'first-admin.txt')
  writeFileSync(path, describe(publicUrl, credentials, servesConsole), { mode: 0o600 })
  return { path, summary: new Secret(summarize(publicUrl, { email, password: password.open(), path }, servesConsole)) }
}

const emptyStatement = { name: 'accounts_none', text: 'select not exists (select from account) as empty' }

/**
 * In a database without an administrator: creates the one of the settings, whose password is an initial one. Returns whether it did.
 * Throws `StartError` for a password that the rules refuse.
 */
export async function makeConfiguredAdmin(
  rows: Rows,
  { settings, breached }: BuiltInIssuer,
  { email, password }: { readonly email: string; readonly password: Secret },
): Promise<boolean> {
  if (await hasAdministrator(rows)) return false
  const fault = passwordFault(password, email, settings) ?? (await breachFault(password, breached))
  if (fault !== undefined) throw new StartError(`MUSTER_FIRST_ADMIN_PASSWORD ${fault}.`)
  return (await createPasswordAccount(rows, { email, password, roleId: 'admin', isInitial: true })) !== undefined
}

interface Credentials {
  readonly email: string
  readonly password: string
  readonly token: string
}

function summarize(
  publicUrl: string,
  { email, password, path }: { readonly email: string; readonly password: string; readonly path: string },
  servesConsole: boolean,
): string {
  const place = servesConsole ? `Sign in at ${publicUrl}/ as the first administrator` : 'The first administrator'
  return `${place}:
  E-mail:    ${email}
  Password:  ${password}   (replace it within ${initialPasswordDays} days)
  A token and commands to paste: ${path}
`
}

function describe(publicUrl: string, { email, password, token }: Credentials, servesConsole: boolean): string {
  const inBrowser = servesConsole ? `\nIn a browser, sign in at ${publicUrl}/ and choose a password of your own.\n` : ''
  return `The first administrator of this Muster. This file contains secrets: delete it when you have signed in.

E-mail:    ${email}
Password:  ${password}
Token:     ${token}
${inBrowser}
The token is valid for a quarter of an hour. To get a new one:
  npx muster token --email ${email}

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
