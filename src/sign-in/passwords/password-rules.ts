import { readFileSync } from 'node:fs'
import { packageRoot } from '../../platform/package-root.ts'
import { type InputFault, refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { passwordLengthMin } from '../contract/password-fields.ts'

/**
 * Why a new password is not acceptable, for the user, or `undefined`: it is too short, one of the most common, or the e-mail
 * address. There are no rules of composition (NIST SP 800-63B §3.1.1.2, ASVS 6.2.5).
 */
export function passwordFault(password: Secret, email: string): string | undefined {
  const text = password.open().normalize('NFKC')
  const lower = text.toLowerCase()
  if ([...text].length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`
  if (commonPasswords.has(lower)) return 'is one of the most common passwords, which attackers try first'
  if (lower === email.toLowerCase() || lower === email.toLowerCase().split('@')[0])
    return 'must not be the e-mail address'
  return undefined
}

/** Problem: `input_invalid`, pointing at the member of the body that held the password. */
export function requireAcceptablePassword(password: Secret, email: string, pointer: string): void {
  const detail = passwordFault(password, email)
  if (detail === undefined) return
  const errors: readonly InputFault[] = [{ pointer, detail }]
  refuse('input_invalid', { errors, detail: 'See errors for each fault of the input.' })
}

/** Its source and licence are at the top of the file. */
const commonPasswords: ReadonlySet<string> = new Set(
  readFileSync(`${packageRoot()}/lists/common-passwords.txt`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)
