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

interface FirstAdmin {
  readonly path: string
  /** Text for the terminal: the sign-in URL, the password and the path of the file. Contains secrets. */
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
  const path = join(dataDir, 'first-admin.txt')
  const facts = { email, publicUrl, servesConsole, password: password.open(), token: access_token, path }
  writeFileSync(path, describe(facts), { mode: 0o600 })
  return { path, summary: new Secret(summarize(facts)) }
}

const emptyStatement = { name: 'accounts_none', text: 'select not exists (select from account) as empty' }

/**
 * In a database without an administrator: creates the configured one with an initial password. Returns whether it did.
 * Throws `StartError` if the password is not acceptable.
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

interface AccountFacts extends Omit<FirstAdminSettings, 'dataDir'> {
  readonly password: string
  readonly token: string
  readonly path: string
}

function summarize({ email, publicUrl, servesConsole, password, path }: AccountFacts): string {
  const place = servesConsole ? `Sign in at ${publicUrl}/ as the first administrator` : 'The first administrator'
  return `${place}:
  Email:     ${email}
  Password:  ${password}   (replace it within ${initialPasswordDays} days)
  A token and commands to paste: ${path}
`
}

/**
 * The content of `first-admin.txt`. It fits on one screen and contains the token once. scripts/start-from-nothing.sh
 * runs the lines from `TOKEN=` on. The new password is too short on purpose: pasted unchanged, the last command changes
 * nothing.
 */
function describe({ email, publicUrl, servesConsole, password, token }: AccountFacts): string {
  const signIn = servesConsole ? `Sign in:   ${publicUrl}/\n` : ''
  return `The first administrator. Delete this file when you have chosen your own password.

Email:     ${email}
Password:  ${password}   (replace it within ${initialPasswordDays} days)
${signIn}
The token below expires after 15 minutes. To print a new one:
  muster token --email ${email}        (in a checkout: npx muster token …)

TOKEN=${token}
AUTH="Authorization: Bearer $TOKEN"

# Read your own data
curl -s -H "$AUTH" ${publicUrl}/api/v1/user/data

# List all users
curl -s -H "$AUTH" ${publicUrl}/api/v1/admin/users/fetch

# Check a provider key
curl -s -H "$AUTH" -H 'Content-Type: application/json' ${publicUrl}/api/v1/provider/keys/validate \\
  -d '{"apiKey":"paste your key here","keyType":"api_token"}'

# Choose your own password: four or more unrelated words make a good one
curl -s -H "$AUTH" -H 'Content-Type: application/json' -X PUT ${publicUrl}/auth/password \\
  -d '{"currentPassword":"${password}","newPassword":"new one"}'
`
}
