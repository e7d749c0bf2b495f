import { readFileSync } from 'node:fs'
import { packageRoot } from '../../platform/package-root.ts'
import { type InputFault, refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { formsOf } from './password-forms.ts'

/** The rules of an installation. */
export interface PasswordRules {
  readonly passwordLengthMin: number
  /** Words that attackers of this installation try: the operator's, and those of its address. */
  readonly passwordWords: readonly string[]
  /** The public address. */
  readonly issuer: string
}

/** Fewer are a pattern and not a password. */
const differentCharactersMin = 5

/**
 * Why a new password is not acceptable, for the user, or `undefined`: it is too short, has too few different characters, or is a common
 * password or a word of its surroundings, with digits and symbols at most. There are no rules of composition (NIST SP 800-63B
 * §3.1.1.2, ASVS 6.2.1, 6.2.4, 6.2.5, 6.2.11).
 */
export function passwordFault(password: Secret, email: string, rules: PasswordRules): string | undefined {
  const fault = ruleBroken(password.open().normalize('NFKC'), email, rules)
  return fault && `${fault}; four or more words that do not belong together make a good one`
}

function ruleBroken(text: string, email: string, rules: PasswordRules): string | undefined {
  if ([...text].length < rules.passwordLengthMin) return `must have at least ${rules.passwordLengthMin} characters`
  if (new Set(text.toLowerCase()).size < differentCharactersMin)
    return `must have at least ${differentCharactersMin} different characters`
  const forms = [...formsOf(text)]
  const common = commonPasswords()
  if (forms.some((form) => common.has(form))) return 'is a common password, which attackers try first'
  const words = contextWords(email, rules)
  if (forms.some((form) => words.has(form)))
    return 'must not be the e-mail address or a name that belongs to this service'
  return undefined
}

/** Problem: `input_invalid`, pointing at the member of the body that held the password. */
export function requireAcceptablePassword(
  password: Secret,
  email: string,
  { rules, pointer }: { readonly rules: PasswordRules; readonly pointer: string },
): void {
  const detail = passwordFault(password, email, rules)
  if (detail === undefined) return
  const errors: readonly InputFault[] = [{ pointer, detail }]
  refuse('input_invalid', { errors, detail: 'See errors for each fault of the input.' })
}

/** The list with every form of its own; its source and licence are at the top of the file. Read with the first new password. */
function commonPasswords(): ReadonlySet<string> {
  listed ??= new Set(
    [...readFileSync(`${packageRoot()}/lists/common-passwords.txt`, 'utf8').split('\n'), ...calendarAndKeys]
      .filter((line) => line !== '' && !line.startsWith('#'))
      .flatMap((entry) => [...formsOf(entry)])
      .filter((form) => /\p{L}/u.test(form) || form.length >= 8),
  )
  return listed
}

let listed: ReadonlySet<string> | undefined

const calendarAndKeys = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  ...['december', 'spring', 'summer', 'autumn', 'fall', 'winter'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'qwertyuiopasdfghjklzxcvbnm'],
]

/** What the address, the service and the operator give away. */
function contextWords(email: string, { issuer, passwordWords }: PasswordRules): ReadonlySet<string> {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const names = [local, domain, new URL(issuer).hostname, ...passwordWords.map((word) => word.toLowerCase())]
  const labels = [...names, ...names.flatMap((name) => name.split('.'))]
  const parts = labels.flatMap((label) => [...label.split(between), label.replaceAll(between, '')])
  const words = [email.toLowerCase(), 'muster', ...labels, ...parts]
  return new Set(words.filter((word) => word !== '').flatMap((word) => [...formsOf(word)]))
}

const between = /[^\p{L}\p{N}]+/gu
