import { domainToASCII, domainToUnicode } from 'node:url'

/** RFC 5321 §4.5.3.1.3. */
export const emailLengthMax = 254

/** The HTML standard's pattern of a valid email address. No nested repetition, so no exponential backtracking. */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/**
 * Why Muster rejects an email, as the end of a sentence; undefined for a valid one. The domain may be in Unicode. The
 * part before the @ may not: few mail servers accept one (RFC 6531). Source: docs/decisions/names-and-emails.md.
 */
export function emailFault(text: string): string | undefined {
  // Bounds the work of the conversion.
  if (text.length > emailLengthMax) return notAnEmail
  const email = withAsciiDomain(text)
  if (emailPattern.test(email) && email.length <= emailLengthMax) return undefined
  const at = email.lastIndexOf('@')
  const isOnlyLocalPart = at > 0 && !isAscii(email.slice(0, at)) && emailPattern.test(`a${email.slice(at)}`)
  return isOnlyLocalPart ? nonAsciiLocalPart : notAnEmail
}

const notAnEmail = 'must be an email address'
const nonAsciiLocalPart =
  'must have only ASCII characters before the @; only the domain can have others, as in ada@exämple.de'

/** The spelling in which emails are compared: lower case, with the domain as A-labels. */
export function normalizeEmail(email: string): string {
  // Not `toLowerCase`: it would turn the Kelvin sign of an invalid email into the letter of another, valid one.
  return withAsciiDomain(email).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/**
 * The spelling in which emails are stored: a domain in Unicode becomes A-labels, as in browsers (UTS 46,
 * non-transitional). An ASCII domain, and text that is no email, stay as they are.
 */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  if (at === 0 || isAscii(domain) || !domainCharacters.test(domain)) return email
  const ascii = domainToASCII(domain)
  // Wide digits would become the address of a host.
  return ascii === '' || hostAddress.test(ascii) ? email : email.slice(0, at) + ascii
}

/** `domainToASCII` parses a host: it would decode percent signs and drop a port, a path, tabs and line breaks. */
const domainCharacters = /^[a-zA-Z0-9.\-\u0080-\u{10FFFF}]{1,253}$/u
const hostAddress = /^[\d.]+$/

/** For users to read: the email, and if its domain has A-labels, also with the domain in Unicode. */
export function displayEmail(email: string): string {
  const unicode = unicodeEmail(email)
  return unicode === email ? email : `${unicode} (${email})`
}

/** The email with the domain in Unicode. A label that no browser would write that way stays as it is. */
export function unicodeEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const labels = email.slice(at).split('.').map(unicodeLabel)
  return email.slice(0, at) + labels.join('.')
}

/** The conversion back must return the label: `xn---bba`, for example, would otherwise look like `xn--bba`. */
function unicodeLabel(label: string): string {
  const unicode = label.startsWith('xn--') ? domainToUnicode(label) : ''
  return domainToASCII(unicode) === label ? unicode : label
}

/**
 * Whether a label of the email's domain mixes scripts, such as Latin and Cyrillic. Such a domain may imitate another
 * one. Japanese, Chinese and Korean mix theirs, and use Latin beside them (UTS 39 §5.2).
 */
export function hasMixedScripts(email: string): boolean {
  const domain = unicodeEmail(email).slice(email.lastIndexOf('@') + 1)
  return domain.split('.').some((label) => {
    const used = scripts.flatMap(({ name, letter }) => (letter.test(label) ? [name] : []))
    return used.length > 1 && !mixable.some((together) => used.every((script) => together.includes(script)))
  })
}

/** The scripts of domains in use (UAX 31, table 5), and Cherokee, whose letters look like Latin ones. */
const scripts =
  'Arabic Armenian Bengali Bopomofo Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
    .split(' ')
    .map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))
const mixable: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

function isAscii(text: string): boolean {
  return !/[^\0-\x7F]/.test(text)
}
