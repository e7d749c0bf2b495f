import { emailFault, emailLengthMax, emailPattern } from '../email.ts'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** For each value of `format` in schemas: why a text does not have the format, as the end of a sentence, or undefined. */
export const formatFaults: Readonly<Record<string, (text: string) => string | undefined>> = {
  'display-name': displayNameFault,
  email: (text) => (emailPattern.test(text) ? undefined : 'must be an email address'),
  'idn-email': emailFault,
  uuid: (text) => (uuidPattern.test(text) ? undefined : 'must be a UUID in lower case'),
}

/** The same for Ajv. */
export const formats = Object.fromEntries(
  Object.entries(formatFaults).map(([name, faultOf]) => [name, (text: string) => faultOf(text) === undefined]),
)

/** An email as stored. */
export const emailRules = { format: 'email', minLength: 3, maxLength: emailLengthMax } as const
/** An email as sent by a client. `normalizeEmail` returns the stored one. */
export const newEmailRules = {
  format: 'idn-email',
  minLength: 3,
  maxLength: emailLengthMax,
  description:
    'The domain can be in Unicode and is stored as A-labels. Before the @ only ASCII characters are accepted.',
} as const
export const uuidRules = { format: 'uuid', minLength: 36, maxLength: 36 } as const

/** Control, invisible, bidirectional and private-use characters. Listed, because OpenAPI patterns have no flag `u` for `\p{…}`. */
const invisible =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uE000-\\uF8FF\\uFEFF\\uFFF9-\\uFFFB'
/** A display name: no invisible characters, and no space at either end. */
export const displayedNamePattern = `^[^\\s${invisible}](?:[^${invisible}]*[^\\s${invisible}])?$`
/** A part of a display name, such as a search term. */
export const displayedPartPattern = `^[^${invisible}]*$`

export const displayNameLengthMax = 200

/** A display name as stored: in NFC, without spaces at the ends. */
export function normalizeDisplayName(text: string): string {
  return text.normalize('NFC').trim()
}

/** Why a text is no display name of a user, as the end of a sentence, or undefined. Spaces at the ends do not count. */
export function displayNameFault(text: string): string | undefined {
  // Bounds the work. NFC shortens a text to no less than a third.
  const name = text.length > 10 * displayNameLengthMax ? '' : normalizeDisplayName(text)
  const { length } = Array.from(name)
  if (length < 1 || length > displayNameLengthMax) return `must have 1 to ${displayNameLengthMax} characters`
  return undisplayable.test(name) ? 'must not have control, invisible or bidirectional characters' : undefined
}

const undisplayable = new RegExp(`[${invisible}]|\\p{Surrogate}`, 'u')
