import { displayEmail, hasMixedScripts } from '../../src/platform/email.ts'

/** The email as commands show it to operators, with a warning if the domain may imitate another one. */
export function emailText(email: string): string {
  return hasMixedScripts(email) ? `${displayEmail(email)} (mixed scripts)` : displayEmail(email)
}
