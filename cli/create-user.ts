import { randomBytes } from 'node:crypto'
import { listRoles } from '../src/accounts/people.ts'
import { recordAudit } from '../src/audit/audit.ts'
import { passwordLengthMax } from '../src/contract/session.ts'
import { emailPattern, emailRules } from '../src/contract/text.ts'
import { createPerson, normalizeEmail } from '../src/issuer/people.ts'
import { Secret } from '../src/secret.ts'
import { Fault } from './fault.ts'
import { note, printJson, printPairs } from './print.ts'
import { askSecret, canAsk, readSecret } from './prompt.ts'
import { type Bench, withDatabase } from './with-database.ts'

export interface CreateOptions {
  readonly email: string
  readonly role: string
  readonly generatePassword?: true
  readonly json?: true
}

/** The work of `muster users create`. The password never was an argument, where other users of the machine would see it. */
export async function createUser(options: CreateOptions): Promise<void> {
  const email = normalizeEmail(options.email)
  if (!emailPattern.test(email) || email.length > emailRules.maxLength)
    throw new Fault(`${JSON.stringify(options.email)} is not an e-mail address.`)
  const password = await choosePassword(options)
  await withDatabase((bench) => create(bench, { ...options, email }, password))
}

/** NIST SP 800-63B-4 §3.1.1.2: at least 8 characters, whichever; no rules about kinds of characters. */
const passwordLengthMin = 8

async function choosePassword({ generatePassword }: CreateOptions): Promise<Secret> {
  if (generatePassword) return new Secret(randomBytes(18).toString('base64url'))
  if (canAsk()) {
    const password = await askSecret('Password', passwordFault)
    await askSecret('The same again', (value) => (value === password.open() ? undefined : 'They differ.'))
    return password
  }
  const password = await readSecret('the password')
  const fault = passwordFault(password.open())
  if (fault) throw new Fault(fault)
  return password
}

function passwordFault(value: string): string | undefined {
  if (value.length < passwordLengthMin) return `A password has at least ${passwordLengthMin} characters.`
  return value.length > passwordLengthMax ? `A password has at most ${passwordLengthMax} characters.` : undefined
}

async function create({ database }: Bench, options: CreateOptions, password: Secret): Promise<void> {
  const { email, role, generatePassword, json } = options
  const roles = await listRoles(database)
  if (!roles.includes(role)) throw new Fault(`There is no role ${role}; there are ${roles.join(', ')}.`)
  const id = await database.transaction(async (rows) => {
    const made = await createPerson(rows, { email, password, roleId: role })
    if (made) await recordAudit(rows, { action: 'account.created', target: { kind: 'account', id: made } })
    return made
  })
  if (id === undefined) throw new Fault(`Somebody signs in with ${email} already.`)
  const made = { id, email, role, ...(generatePassword && { password: password.open() }) }
  if (json) printJson(made)
  else printPairs(Object.entries(made))
  if (generatePassword) note('The password is not shown again.')
}
