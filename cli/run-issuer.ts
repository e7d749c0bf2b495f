import { recordAudit } from '../src/platform/audit/audit.ts'
import { emailPattern } from '../src/platform/http/formats.ts'
import { Problem } from '../src/platform/problems.ts'
import { encryptionKeysOf } from '../src/service/encryption.ts'
import { openEncryption } from '../src/sign-in/keys/encryption-key.ts'
import { rotateSigningKey } from '../src/sign-in/keys/key-rotation.ts'
import { reencryptSecrets } from '../src/sign-in/keys/re-encrypt.ts'
import { createSignUpInvitation } from '../src/sign-in/links/sign-up-invitations.ts'
import { normalizeEmail } from '../src/sign-in/passwords/password-accounts.ts'
import { endSessionsOf } from '../src/sign-in/sessions/sessions.ts'
import { webhookSecretColumns } from '../src/webhooks/re-encryption.ts'
import { Fault } from './fault.ts'
import { findAccount } from './find-account.ts'
import { outboxOf } from './outbox.ts'
import { note, print, printJson } from './print.ts'
import { requireRole } from './require-role.ts'
import { withDatabase } from './with-database.ts'

export interface InviteOptions {
  readonly email: string
  readonly role: string
  readonly proved?: true
  readonly mail?: true
  readonly json?: true
}

/** The work of `muster users invite`. */
export async function runInvite({ email, role, proved, mail, json }: InviteOptions): Promise<void> {
  const name = normalizeEmail(email)
  if (!emailPattern.test(name)) throw new Fault(`${JSON.stringify(email)} is not an e-mail address.`)
  await withDatabase(async ({ database, config }) => {
    await requireRole(database, 'account', role)
    const outbox = mail && (outboxOf(config) ?? missingMail())
    const made = await createSignUpInvitation(database, {
      email: name,
      roleId: role,
      provesEmail: proved === true || mail === true,
      mail: outbox && { outbox, linkUrl: config.issuer.linkUrl },
    })
    if ('refused' in made) throw new Fault(refusals[made.refused](name))
    const expiresAt = made.expiresAt.toISOString()
    if (mail && json) printJson({ email: name, role, expiresAt })
    else if (mail) print(`The invitation is mailed to ${name}.`)
    else if (json) printJson({ email: name, role, invitation: made.token.open(), expiresAt })
    else print(made.token.open())
    note(`Valid for ${name} until ${expiresAt}, once.`)
    if (config.issuer.signUp === 'closed') note('It cannot be used while MUSTER_SIGN_UP is closed.')
  })
}

function missingMail(): never {
  throw new Fault('The service sends no mail: set MUSTER_SMTP_URL.')
}

const refusals = {
  taken: (name: string) => `An account with the address ${name} exists already.`,
  unproved: (name: string) =>
    `An account signs in as ${name} without a proof of the address. With --proved the invited person takes its place: hand the invitation to the owner of the address only.`,
} as const

/** The work of `muster users sign-out`. */
export async function runSignOut(user: string): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, user)
    const ended = await database.transaction(async (rows) => {
      const sessions = await endSessionsOf(rows, id)
      for (const session of sessions)
        await recordAudit(rows, { action: 'session.ended', target: { kind: 'session', id: session } })
      return sessions.length
    })
    print(`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`)
  })
}

export interface RotateOptions {
  readonly withdrawOld?: true
  readonly json?: true
}

/** The work of `muster keys rotate-signing`. */
export async function runRotateSigning({ withdrawOld, json }: RotateOptions): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    const options = { withdrawsOld: withdrawOld === true }
    const { kid, signsFrom } = await rotateSigningKey(
      database,
      openEncryption(encryptionKeysOf(config)),
      options,
    ).catch(explain)
    if (json) printJson({ kid, signsFrom: signsFrom.toISOString() })
    else print(`${kid} signs from ${signsFrom.toISOString()}`)
  })
}

function explain(error: unknown): never {
  if (error instanceof Problem && error.code === 'rotation_running')
    throw new Fault(
      'A new key does not sign yet: wait until it does, ten minutes after it was made, or use --withdraw-old.',
    )
  throw error
}

/** The work of `muster keys re-encrypt`. */
export async function runReEncrypt(): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    const count = await reencryptSecrets(database, openEncryption(encryptionKeysOf(config)), webhookSecretColumns)
    print(`${count} ${count === 1 ? 'value' : 'values'} re-encrypted.`)
    if (config.issuer.previousEncryptionKey) note('Remove MUSTER_ENCRYPTION_KEY_PREVIOUS from every node.')
  })
}
