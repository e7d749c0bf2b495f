import { changeEmail, resetFactors, unlockAccount } from '../../src/sign-in/links/operator-recovery.ts'
import { createRecoveryLink } from '../../src/sign-in/links/recovery-links.ts'
import { findPasswordAccount } from '../../src/sign-in/passwords/password-accounts.ts'
import { Fault } from '../errors.ts'
import { findAccount, findTrustedAccount } from '../find-account.ts'
import { durationMs } from '../options.ts'
import { note, print, printJson } from '../print.ts'
import { withConfig, withDatabase } from '../with-database.ts'
import { requireEmail } from './names.ts'
import { outboxOf } from './outbox.ts'

interface LinkOptions {
  readonly resetFactors?: true
  readonly unproved?: true
  readonly expires: string
  readonly json?: true
}

/** `muster users recover`. */
export async function createLink(who: string, options: LinkOptions): Promise<void> {
  const lifeSeconds = secondsOf(options.expires)
  await withConfig(async ({ database, config }) => {
    const { id, disabled } = await findTrustedAccount(database, who, options)
    const wanted = { accountId: id, resetsFactors: options.resetFactors === true, lifeSeconds }
    const { link, expiresAt } = await database.transaction((rows) =>
      createRecoveryLink(rows, config.issuer.linkUrl, wanted),
    )
    const until = expiresAt.toISOString()
    if (options.json) printJson({ link, expiresAt: until })
    else print(link)
    note(`The link works once, until ${until}. Give it only to the user: it opens the account.`)
    if (disabled) note('The user is disabled: enable the user before the link is used.')
  })
}

function secondsOf(text: string): number {
  const seconds = (durationMs(text) ?? 0) / 1_000
  if (seconds >= 3_600 && seconds <= 7 * 86_400) return seconds
  throw new Fault(`--expires must be from 1h to 7d, such as 24h, not ${JSON.stringify(text)}.`)
}

/** `muster users unlock`. */
export async function unlockUser(who: string): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { id } = await findAccount(database, who)
    await database.transaction((rows) => unlockAccount(rows, id))
    print(`${who} can try to sign in again.`)
  })
}

interface SetEmailOptions {
  readonly proved?: true
  readonly unproved?: true
}

/** `muster users set-email`. */
export async function setEmail(who: string, address: string, { proved, unproved }: SetEmailOptions): Promise<void> {
  const email = requireEmail(address)
  const isProved = proved === true
  await withConfig(async ({ database, config }) => {
    const { id } = await findTrustedAccount(database, who, { unproved: unproved === true || !isProved })
    await database.transaction(async (rows) => {
      const holder = isProved ? undefined : await findPasswordAccount(rows, email)
      if (holder && holder.accountId !== id) throw new Fault(`Another user signs in with ${email}.`)
      const change = { accountId: id, email, isProved, outbox: outboxOf(config) }
      if (!(await changeEmail(rows, change))) throw new Fault(`Another user has the verified email ${email}.`)
    })
    print(`${who} now signs in with ${email}.`)
  })
}

/** `muster users reset-factors`. */
export async function removeFactors(who: string): Promise<void> {
  await withConfig(async ({ database, config }) => {
    const { id } = await findAccount(database, who)
    await database.transaction((rows) => resetFactors(rows, id, outboxOf(config)))
    print(`${who} now signs in with only the password.`)
  })
}
