import type { Logger } from 'pino'
import type { Secret } from '../../platform/secret.ts'
import { StartError } from '../../platform/start-error.ts'
import { breachedListFault, isInBreachedList } from './breached-list.ts'
import { isInPwnedPasswords } from './pwned-passwords.ts'

/** Passwords that others have used and lost: attackers try them everywhere (ASVS 6.2.12). */
export interface BreachedPasswords {
  has(password: Secret): Promise<boolean>
  /** Questions to another service since the start, by how they ended. */
  readonly asked: Readonly<Record<'breached' | 'not_breached' | 'failed', number>>
}

export interface BreachedPasswordsSettings {
  /** A file of `muster passwords build-list`. */
  readonly breachedPasswords: string | undefined
  /** A service that answers as Pwned Passwords does. */
  readonly pwnedPasswordsUrl: string | undefined
}

/** Without a list and an address, no password counts as breached. Throws `StartError` for a file that is no list. */
export async function openBreachedPasswords(
  { breachedPasswords: path, pwnedPasswordsUrl: url }: BreachedPasswordsSettings,
  log: Pick<Logger, 'warn'>,
): Promise<BreachedPasswords> {
  const fault = path === undefined ? undefined : await breachedListFault(path)
  if (fault !== undefined) throw new StartError(`MUSTER_BREACHED_PASSWORDS: ${path} ${fault}.`)
  const asked = { breached: 0, not_breached: 0, failed: 0 }

  /** No answer is no reason to refuse a password: the rules that need no network have accepted it. */
  async function ask(address: string, password: Secret): Promise<boolean> {
    try {
      const isBreached = await isInPwnedPasswords(address, password)
      asked[isBreached ? 'breached' : 'not_breached'] += 1
      return isBreached
    } catch (err) {
      asked.failed += 1
      log.warn({ err }, 'MUSTER_PWNED_PASSWORDS_URL did not answer: a new password was not looked up')
      return false
    }
  }

  return {
    asked,
    async has(password) {
      if (path !== undefined && (await isInBreachedList(path, password))) return true
      return url !== undefined && (await ask(url, password))
    },
  }
}
