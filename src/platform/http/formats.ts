/**
 * E-mail format: the HTML standard's pattern ("valid e-mail address"), which has no nested repetition and so no
 * exponential case. Longest form by RFC 5321 §4.5.3.1.3: 254 characters.
 */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The meaning of `format` in every schema of the contract. */
export const formats = { email: emailPattern, uuid: uuidPattern } as const

export const emailRules = { format: 'email', minLength: 3, maxLength: 254 } as const
export const uuidRules = { format: 'uuid', minLength: 36, maxLength: 36 } as const

/**
 * A name that is displayed: no control characters, no invisible ones, none that change the direction of the text, none of private
 * use, no space at either end. The characters are listed because `\p{…}` needs the flag `u`, which the patterns of OpenAPI do not have.
 */
const invisible =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uE000-\\uF8FF\\uFEFF\\uFFF9-\\uFFFB'
export const displayedNamePattern = `^[^\\s${invisible}](?:[^${invisible}]*[^\\s${invisible}])?$`
/** A part of such a name. */
export const displayedPartPattern = `^[^${invisible}]*$`
