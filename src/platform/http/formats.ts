/** The HTML standard's pattern of a valid email address. No nested repetition, so no exponential backtracking. */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The values of `format` in schemas. */
export const formats = { email: emailPattern, uuid: uuidPattern } as const

/** 254 characters: RFC 5321 §4.5.3.1.3. */
export const emailRules = { format: 'email', minLength: 3, maxLength: 254 } as const
export const uuidRules = { format: 'uuid', minLength: 36, maxLength: 36 } as const

/** Control, invisible, bidirectional and private-use characters. Listed, because OpenAPI patterns have no flag `u` for `\p{…}`. */
const invisible =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uE000-\\uF8FF\\uFEFF\\uFFF9-\\uFFFB'
/** A display name: no invisible characters, and no space at either end. */
export const displayedNamePattern = `^[^\\s${invisible}](?:[^${invisible}]*[^\\s${invisible}])?$`
/** A part of a display name, such as a search term. */
export const displayedPartPattern = `^[^${invisible}]*$`
