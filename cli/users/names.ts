import { displayEmail, emailFault, hasMixedScripts, normalizeEmail } from '../../src/platform/email.ts'
import { displayNameFault, normalizeDisplayName } from '../../src/platform/http/formats.ts'
import { Fault } from '../errors.ts'

/** The email as commands show it to operators, with a warning if the domain may imitate another one. */
export function emailText(email: string): string {
  return hasMixedScripts(email) ? `${displayEmail(email)} (mixed scripts)` : displayEmail(email)
}

/** The email as stored. */
export function requireEmail(text: string): string {
  const fault = emailFault(text.trim())
  if (fault !== undefined) throw new Fault(`${JSON.stringify(text)} ${fault}.`)
  return normalizeEmail(text.trim())
}

/** The name as stored. */
export function requireName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const fault = displayNameFault(text)
  if (fault !== undefined) throw new Fault(`The name ${fault}.`)
  return normalizeDisplayName(text)
}
