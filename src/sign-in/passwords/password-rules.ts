import { readFileSync } from 'node:fs'
import type { Rows } from '../../platform/database/database.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { type InputFault, refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BreachedPasswords } from './breached-passwords.ts'

/** The password rules of this service, or of one account. */
export interface PasswordRules {
  readonly passwordLengthMin: number
  /** Words that attackers would try here: those of the operator, and the names of the account's organizations. */
  readonly passwordWords: readonly string[]
  /** The public address. */
  readonly issuer: string
}

/** Minimum number of different characters. */
const differentCharactersMin = 5

/**
 * Returns why a new password is not acceptable, as a text for the user, or `undefined`: it is too short, has too few
 * different characters, or is a common password or a word from its context, possibly with digits and symbols around it.
 * There are no composition rules (NIST SP 800-63B §3.1.1.2, ASVS 6.2.1, 6.2.4, 6.2.5, 6.2.11).
 */
export function passwordFault(password: Secret, email: string, rules: PasswordRules): string | undefined {
  const fault = findFault(password.open(), email, rules)
  return fault && withAdvice(fault)
}

/** Returns why a password that passes the rules is still not acceptable, or `undefined` (ASVS 6.2.12). */
export async function breachFault(password: Secret, breached: BreachedPasswords): Promise<string | undefined> {
  return (await breached.has(password)) ? withAdvice('was found in a breach of another service') : undefined
}

function withAdvice(fault: string): string {
  return `${fault}; four or more unrelated words make a good one`
}

function findFault(password: string, email: string, rules: PasswordRules): string | undefined {
  const hashed = password.normalize('NFC')
  if ([...hashed].length < rules.passwordLengthMin) return `must have at least ${rules.passwordLengthMin} characters`
  if (new Set(hashed.toLowerCase()).size < differentCharactersMin)
    return `must have at least ${differentCharactersMin} different characters`
  // NFKC turns wide and styled letters into plain ones.
  const text = password.normalize('NFKC')
  const forms = [...variantsOf(text)]
  const { common, numbers } = commonPasswords()
  if (forms.some((form) => common.has(form)) || containsNumber(text, numbers))
    return 'is a common password, which attackers try first'
  const words = contextWords(email, rules)
  if (forms.some((form) => words.has(form)))
    return 'must not be your email or a name from this service or your organizations'
  return undefined
}

/**
 * The rules for one account: adds the names of its organizations to the words. If its role requires a second factor,
 * the password may be shorter (NIST SP 800-63B §3.1.1.2).
 */
export async function rulesForAccount(rows: Rows, accountId: string, rules: PasswordRules): Promise<PasswordRules> {
  const [found] = await rows.query<{ names: string[]; requiresFactor: boolean }>(contextStatement, [accountId])
  const { names = [], requiresFactor = false } = found ?? {}
  return {
    ...rules,
    passwordLengthMin: Math.min(
      rules.passwordLengthMin,
      requiresFactor ? lengthMinBesideFactor : rules.passwordLengthMin,
    ),
    passwordWords: [...rules.passwordWords, ...names],
  }
}

const lengthMinBesideFactor = 8

interface NewPasswordCheck {
  readonly rules: PasswordRules
  readonly breached: BreachedPasswords
  readonly pointer: string
}

/** Problem: `input_invalid`. `pointer` names the member of the body that held the password. */
export async function requireAcceptablePassword(
  password: Secret,
  email: string,
  { rules, breached, pointer }: NewPasswordCheck,
): Promise<void> {
  const detail = passwordFault(password, email, rules) ?? (await breachFault(password, breached))
  if (detail !== undefined) refuseMember(pointer, detail)
}

/** Problem: `input_invalid`. */
export function refuseMember(pointer: string, detail: string): never {
  const errors: readonly InputFault[] = [{ pointer, detail }]
  return refuse('input_invalid', { errors, detail: 'See `errors` for every invalid value.' })
}

interface CommonPasswords {
  /** Every variant of every entry. */
  readonly common: ReadonlySet<string>
  /** Entries without letters, such as dates of birth. They are also common between other digits. */
  readonly numbers: ReadonlySet<string>
}

/** Reads the list with the first new password. The file names its source and license. */
function commonPasswords(): CommonPasswords {
  if (listed) return listed
  const lines = readFileSync(`${packageRoot()}/lists/common-passwords.txt`, 'utf8').split('\n')
  const entries = [...lines.filter((line) => line !== '' && !line.startsWith('#')), ...calendarAndKeys]
  listed = {
    common: new Set(entries.flatMap((entry) => [...variantsOf(entry)])),
    numbers: new Set(entries.filter((entry) => !letter.test(entry))),
  }
  return listed
}

let listed: CommonPasswords | undefined

const letter = /\p{L}/u

/** Whether a text without letters contains one of the numbers, which have 8 to 20 characters. */
function containsNumber(text: string, numbers: ReadonlySet<string>): boolean {
  if (letter.test(text)) return false
  for (let start = 0; start + 8 <= text.length; start += 1)
    for (let end = start + 8; end <= Math.min(start + 20, text.length); end += 1)
      if (numbers.has(text.slice(start, end))) return true
  return false
}

const calendarAndKeys = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november'],
  ...['december', 'spring', 'summer', 'autumn', 'fall', 'winter'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'qwertyuiopasdfghjklzxcvbnm'],
  ...['12345678', '23456789', '34567890', '09876543', '98765432', '87654321', '76543210'],
]

/** Words from the email, the service and the operator. */
function contextWords(email: string, { issuer, passwordWords }: PasswordRules): ReadonlySet<string> {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const names = [local, domain, new URL(issuer).hostname, ...passwordWords.map((word) => word.toLowerCase())]
  const labels = [...names, ...names.flatMap((name) => name.split('.'))]
  const parts = labels.flatMap((label) => [...label.split(between), label.replaceAll(between, '')])
  const words = [email.toLowerCase(), 'muster', ...labels, ...parts]
  return new Set(words.filter((word) => word !== '').flatMap((word) => [...variantsOf(word)]))
}

const between = /[^\p{L}\p{N}]+/gu

/** $1 account. */
const contextStatement = {
  name: 'password_surroundings',
  text: `
select r.requires_mfa as "requiresFactor",
       array(select o.name from membership m join organization o on o.id = m.organization_id
             where m.account_id = a.id limit 100) as names
from account a join role r on r.id = a.role_id
where a.id = $1`,
}

/**
 * The variants under which a password is looked up: in lower case, and reduced as attackers vary common passwords.
 * Removes digits and symbols at both ends, reads digits and symbols inside as letters, and collapses repetitions.
 */
function variantsOf(password: string): ReadonlySet<string> {
  const lower = password.toLowerCase()
  // `$uperman2026`: a symbol at an end may or may not stand for a letter.
  const parts = [lower, match(/^.*\p{L}/su, lower), match(/\p{L}.*$/su, lower), trimToLetters(lower)]
  const read = substitutions.flatMap((reading) => parts.map((part) => trimToLetters(lettersOf(part, reading))))
  return new Set([lower, ...[lower, trimToLetters(lower), ...read].map(collapseRepeats)])
}

/** `1` and `!` can stand for `i` or `l`. */
const common = { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '7': 't' } as const
const substitutions = [
  new Map(Object.entries({ ...common, '1': 'i', '!': 'i' })),
  new Map(Object.entries({ ...common, '1': 'l', '!': 'l' })),
]

function lettersOf(text: string, reading: ReadonlyMap<string, string>): string {
  return text.replaceAll(/[@4310$57!]/g, (character) => reading.get(character) ?? character)
}

/** The text from its first to its last letter. Without letters, the whole text. */
function trimToLetters(text: string): string {
  return match(/\p{L}(?:.*\p{L})?/su, text)
}

function match(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[0] ?? text
}

/** `abcabcabc` → `abc`. */
function collapseRepeats(text: string): string {
  return /^(.{1,8}?)\1+$/su.exec(text)?.[1] ?? text
}
