import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { recordAudit } from '../../src/platform/audit/audit.ts'
import { displayEmail } from '../../src/platform/email.ts'
import { Secret } from '../../src/platform/secret.ts'
import { createSignUpInvitation } from '../../src/sign-in/links/sign-up-links.ts'
import { openBreachedPasswords } from '../../src/sign-in/passwords/breached-passwords.ts'
import { createPasswordAccount, initialPasswordDays } from '../../src/sign-in/passwords/password-accounts.ts'
import { breachFault, type PasswordRules, passwordFault } from '../../src/sign-in/passwords/password-rules.ts'
import { passwordLengthMax } from '../../src/sign-in/sessions/contract.ts'
import { Fault } from '../errors.ts'
import { requireRole } from '../permissions.ts'
import { note, print, printJson, printPairs } from '../print.ts'
import { askSecret, canAsk, readSecret } from '../prompt.ts'
import { type ConfiguredContext, withConfig } from '../with-database.ts'
import { requireEmail, requireName } from './names.ts'
import { outboxOf } from './outbox.ts'

interface CreateOptions {
  readonly email: string
  readonly name?: string | undefined
  readonly role: string
  readonly generatePassword?: true
  readonly json?: true
}

/** `muster users create`. The password is not an argument: other users of the machine could see it in the process list. */
export async function createUser(options: CreateOptions): Promise<void> {
  const email = requireEmail(options.email)
  const name = requireName(options.name)
  const { publicUrl, issuer, outgoingProxies: proxies } = readConfig(process.env)
  const password = await choosePassword({ ...options, email }, { ...issuer, issuer: publicUrl })
  await withConfig(async (context) => {
    if (!options.generatePassword)
      refusePassword(await breachFault(password, await openBreachedPasswords(issuer, { proxies, log: context.log })))
    await create(context, { ...options, email, name }, password)
  })
}

async function choosePassword({ generatePassword, email }: CreateOptions, rules: PasswordRules): Promise<Secret> {
  if (generatePassword) return new Secret(randomBytes(18).toString('base64url'))
  const faultOf = (value: string) =>
    value.length > passwordLengthMax
      ? `has more than ${passwordLengthMax} characters`
      : passwordFault(new Secret(value), email, rules)
  if (canAsk()) {
    const password = await askSecret('Password', (value) => sentenceOf(faultOf(value)))
    await askSecret('Repeat the password', (value) => (value === password.open() ? undefined : 'The passwords differ.'))
    return password
  }
  const password = await readSecret('the password')
  refusePassword(faultOf(password.open()))
  return password
}

function sentenceOf(fault: string | undefined): string | undefined {
  return fault && `This password ${fault}.`
}

function refusePassword(fault: string | undefined): void {
  if (fault !== undefined) throw new Fault(`This password ${fault}.`)
}

async function create({ database }: ConfiguredContext, options: CreateOptions, password: Secret): Promise<void> {
  const { email, name, role, generatePassword, json } = options
  await requireRole(database, 'account', role)
  const id = await database.transaction(async (rows) => {
    const account = { email, password, roleId: role, displayName: name, isInitial: generatePassword ?? false }
    const made = await createPasswordAccount(rows, account)
    if (made) await recordAudit(rows, { action: 'account.created', target: { kind: 'account', id: made } })
    return made
  })
  if (id === undefined) throw new Fault(`A user with the email ${displayEmail(email)} already exists.`)
  const created = {
    id,
    email,
    ...(name !== undefined && { displayName: name }),
    role,
    ...(generatePassword && { password: password.open() }),
  }
  if (json) printJson(created)
  else printPairs(Object.entries(created))
  if (generatePassword)
    note(
      `Muster does not show the password again. It expires in ${initialPasswordDays} days, and the user must change it at the first sign-in.`,
    )
}

interface InviteOptions {
  readonly email: string
  readonly name?: string
  readonly role: string
  readonly proved?: true
  readonly mail?: true
  readonly json?: true
}

/** `muster users invite`. */
export async function inviteUser({ email: text, name, role, proved, mail, json }: InviteOptions): Promise<void> {
  const email = requireEmail(text)
  const displayName = requireName(name)
  await withConfig(async ({ database, config }) => {
    await requireRole(database, 'account', role)
    const outbox = mail && outboxOf(config)
    if (mail && !outbox) throw new Fault('The service sends no mail. Set MUSTER_SMTP_URL.')
    const made = await createSignUpInvitation(database, {
      email,
      roleId: role,
      displayName,
      provesEmail: proved === true || mail === true,
      mail: outbox && { outbox, linkUrl: config.issuer.linkUrl },
    })
    if ('refused' in made) throw new Fault(refusals[made.refused](email))
    const expiresAt = made.expiresAt.toISOString()
    if (json) printJson({ email, role, ...(!mail && { invitation: made.token.open() }), expiresAt })
    else print(mail ? `Sent the invitation to ${displayEmail(email)}.` : made.token.open())
    note(`The invitation works once, for ${displayEmail(email)}, until ${expiresAt}.`)
    if (config.issuer.signUp === 'closed') note('Sign-up is closed: set MUSTER_SIGN_UP before the invitation is used.')
  })
}

const refusals = {
  taken: (email: string) => `A user with the email ${displayEmail(email)} already exists.`,
  unproved: (email: string) =>
    `A user signs in with the unverified email ${displayEmail(email)}. With --proved the invited user replaces that one: give the invitation only to the owner of the email.`,
} as const
