import { emailPattern, emailRules } from '../src/platform/http/formats.ts'
import { createRecoveryLink } from '../src/sign-in/links/account-links.ts'
import { changeEmail, resetFactors, unlockAccount } from '../src/sign-in/links/operator-recovery.ts'
import { findPasswordAccount, normalizeEmail } from '../src/sign-in/passwords/password-accounts.ts'
import { Fault } from './fault.ts'
import { findAccount, findAccountToTrust } from './find-account.ts'
import { outboxOf } from './outbox.ts'
import { note, print, printJson } from './print.ts'
import { withDatabase } from './with-database.ts'

export interface RecoverOptions {
  readonly resetFactors?: true
  readonly unproved?: true
  readonly expires: string
  readonly json?: true
}

/** The work of `muster users recover`. */
export async function runRecover(who: string, options: RecoverOptions): Promise<void> {
  const lifeSeconds = secondsOf(options.expires)
  await withDatabase(async ({ database, config }) => {
    const { id, disabled } = await findAccountToTrust(database, who, options)
    const wanted = { accountId: id, resetsFactors: options.resetFactors === true, lifeSeconds }
    const { link, expiresAt } = await database.transaction((rows) =>
      createRecoveryLink(rows, config.issuer.linkUrl, wanted),
    )
    const until = expiresAt.toISOString()
    if (options.json) printJson({ link, expiresAt: until })
    else print(link)
    note(`Valid until ${until}, once. Give it to the user and to no one else: it opens the account.`)
    if (disabled) note('It cannot be used while the account is disabled.')
  })
}

const hourSeconds = 3_600

/** `24h` or `7d`: from one hour to seven days. */
function secondsOf(text: string): number {
  const [, count = '', unit] = /^(\d{1,3})(h|d)$/.exec(text) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  if (count === '' || hours < 1 || hours > 7 * 24)
    throw new Fault(`--expires must be from 1h to 7d, such as 24h; it is ${JSON.stringify(text)}.`)
  return hours * hourSeconds
}

export interface SetEmailOptions {
  readonly proved?: true
  readonly unproved?: true
}

/** The work of `muster users unlock`. */
export async function runUnlock(who: string): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, who)
    await database.transaction((rows) => unlockAccount(rows, id))
    print(`${who} can try to sign in again.`)
  })
}

/** The work of `muster users set-email`. */
export async function runSetEmail(who: string, address: string, { proved, unproved }: SetEmailOptions): Promise<void> {
  const email = normalizeEmail(address)
  if (!emailPattern.test(email) || email.length > emailRules.maxLength)
    throw new Fault(`${JSON.stringify(address)} is not an e-mail address.`)
  const isProved = proved === true
  await withDatabase(async ({ database, config }) => {
    const { id } = await findAccountToTrust(database, who, { unproved: unproved === true || !isProved })
    await database.transaction(async (rows) => {
      const holder = isProved ? undefined : await findPasswordAccount(rows, email)
      if (holder && holder.accountId !== id) throw new Fault(`Another account signs in with ${email}.`)
      const change = { accountId: id, email, isProved, outbox: outboxOf(config) }
      if (!(await changeEmail(rows, change))) throw new Fault(`Another account has proved ${email}.`)
    })
    print(`${who} now signs in with ${email}.`)
  })
}

/** The work of `muster users reset-factors`. */
export async function runResetFactors(who: string): Promise<void> {
  await withDatabase(async ({ database, config }) => {
    const { id } = await findAccount(database, who)
    await database.transaction((rows) => resetFactors(rows, id, outboxOf(config)))
    print(`${who} signs in with the password alone.`)
  })
}
