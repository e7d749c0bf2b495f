import { randomBytes } from 'node:crypto'
import { readConfig } from '../src/config.ts'
import { recordAudit } from '../src/platform/audit/audit.ts'
import { emailPattern, emailRules } from '../src/platform/http/formats.ts'
import { Secret } from '../src/platform/secret.ts'
import { type BreachedPasswordsSettings, openBreachedPasswords } from '../src/sign-in/passwords/breached-passwords.ts'
import { passwordLengthMax } from '../src/sign-in/passwords/contract.ts'
import {
  createPasswordAccount,
  initialPasswordDays,
  normalizeEmail,
} from '../src/sign-in/passwords/password-accounts.ts'
import { breachFault, type PasswordRules, passwordFault } from '../src/sign-in/passwords/password-rules.ts'
import { Fault } from './fault.ts'
import { note, printJson, printPairs } from './print.ts'
import { askSecret, canAsk, readSecret } from './prompt.ts'
import { requireRole } from './require-role.ts'
import { type CommandContext, withDatabase } from './with-database.ts'

export interface CreateOptions {
  readonly email: string
  readonly role: string
  readonly generatePassword?: true
  readonly json?: true
}

/** The work of `muster users create`. The password is not an argument, because other users of the machine could see it there. */
export async function createUser(options: CreateOptions): Promise<void> {
  const email = normalizeEmail(options.email)
  if (!emailPattern.test(email) || email.length > emailRules.maxLength)
    throw new Fault(`${JSON.stringify(options.email)} is not an e-mail address.`)
  const { publicUrl, issuer } = readConfig(process.env)
  const password = await choosePassword({ ...options, email }, { ...issuer, issuer: publicUrl })
  await withDatabase(async (context) => {
    if (!options.generatePassword) await refuseBreached(password, issuer, context)
    await create(context, { ...options, email }, password)
  })
}

async function choosePassword({ generatePassword, email }: CreateOptions, rules: PasswordRules): Promise<Secret> {
  if (generatePassword) return new Secret(randomBytes(18).toString('base64url'))
  if (canAsk()) {
    const password = await askSecret('Password', (value) => faultOf(value, email, rules))
    await askSecret('Repeat the password', (value) => (value === password.open() ? undefined : 'The passwords differ.'))
    return password
  }
  const password = await readSecret('the password')
  const fault = faultOf(password.open(), email, rules)
  if (fault) throw new Fault(fault)
  return password
}

function faultOf(value: string, email: string, rules: PasswordRules): string | undefined {
  if (value.length > passwordLengthMax) return `A password has at most ${passwordLengthMax} characters.`
  const fault = passwordFault(new Secret(value), email, rules)
  return fault && `This password ${fault}.`
}

async function refuseBreached(
  password: Secret,
  settings: BreachedPasswordsSettings,
  { log }: CommandContext,
): Promise<void> {
  const fault = await breachFault(password, await openBreachedPasswords(settings, log))
  if (fault !== undefined) throw new Fault(`This password ${fault}.`)
}

async function create({ database }: CommandContext, options: CreateOptions, password: Secret): Promise<void> {
  const { email, role, generatePassword, json } = options
  await requireRole(database, 'account', role)
  const id = await database.transaction(async (rows) => {
    const made = await createPasswordAccount(rows, {
      email,
      password,
      roleId: role,
      isInitial: generatePassword ?? false,
    })
    if (made) await recordAudit(rows, { action: 'account.created', target: { kind: 'account', id: made } })
    return made
  })
  if (id === undefined) throw new Fault(`An account with the address ${email} exists already.`)
  const made = { id, email, role, ...(generatePassword && { password: password.open() }) }
  if (json) printJson(made)
  else printPairs(Object.entries(made))
  if (generatePassword)
    note(
      `Muster does not show the password again. It is good for ${initialPasswordDays} days, and the first sign-in has to change it.`,
    )
}
