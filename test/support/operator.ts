import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eraseDue } from '../../src/identity/erase-account.ts'
import { makeFirstAdmin } from '../../src/sign-in/first-admin.ts'
import { createSignUpInvitation } from '../../src/sign-in/links/sign-up-links.ts'
import { runMuster } from '../cli/run-muster.ts'
import type { Service } from './service.ts'

/** Runs a command beside the service, as an operator does. Returns what it printed, and fails with what it reported. */
export async function muster(
  { env, fresh }: Pick<Service, 'env' | 'fresh'>,
  command: string | readonly string[],
  input = '',
): Promise<string> {
  const args = typeof command === 'string' ? command.split(' ') : command
  const { code, stdout, stderr } = await runMuster(args, { env: { ...env, DATABASE_URL: fresh.url }, input })
  if (code !== 0) throw new Error(`muster ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** The token of an invitation to sign up, as `muster users invite` creates it, but without the cost of a command. */
export async function invitationFor(
  { database }: Pick<Service, 'database'>,
  email: string,
  options: { readonly roleId?: string; readonly provesEmail?: boolean } = {},
): Promise<string> {
  const made = await createSignUpInvitation(database, { email, ...options })
  if ('refused' in made) throw new Error(`No invitation for ${email}: ${made.refused}`)
  return made.token.open()
}

/** What every node repeats in the background, by hand: deletes the accounts that are due, and returns how many. In process. */
export function eraseDueAccounts({ parts, database }: Service): Promise<number> {
  return eraseDue(database, parts.users.erasure)
}

/** What the first start does: makes the administrator, and returns the file that says how to sign in. In process. */
export async function firstAdminOf({ parts, database, url }: Service, dataDir: string): Promise<string> {
  if (!parts.issuer) throw new Error('the built-in issuer is disabled')
  const settings = { email: 'admin@muster.local', publicUrl: url, dataDir, servesConsole: true }
  await makeFirstAdmin(database, parts.issuer, settings)
  return readFileSync(join(dataDir, 'first-admin.txt'), 'utf8')
}
