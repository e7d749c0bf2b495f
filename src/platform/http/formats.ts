import { emailFault, emailLengthMax, emailPattern } from '../email.ts'

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** For each value of `format` in schemas: why a text does not have the format, as the end of a sentence, or undefined. */
export const formatFaults: Readonly<Record<string, (text: string) => string | undefined>> = {
  'date-time': timeFault,
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
/** A time that is passed to PostgreSQL as sent, because it has microseconds and a `Date` does not. */
export const timeRules = { format: 'date-time', maxLength: 40 } as const
export const uuidRules = { format: 'uuid', minLength: 36, maxLength: 36 } as const

/** RFC 3339 with a zone, to the microsecond. PostgreSQL takes offsets below 16 hours, and has no year 0. */
const timePattern =
  /^(?!0000)(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/

/** Why a text is no time, as the end of a sentence, or undefined. */
function timeFault(text: string): string | undefined {
  const [, day] = timePattern.exec(text) ?? []
  if (day === undefined) return 'must be a time with a zone as in RFC 3339, such as 2026-01-31T00:00:00Z'
  // `Date` reads February 31 as March 3.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? undefined : 'must be a date that exists'
}

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
