import type { Note } from './messages.ts'
import { endedServiceOf } from './other-services.ts'

/**
 * Removes what users copy by accident: white space, byte order marks and zero-width characters around a value, JSON with one text, the name
 * of a variable, a setting or a header, an authorization scheme, one pair of quotes, and line breaks written as `\n`.
 */
export function clean(pasted: string): { value: string; notes: Note[] } {
  const notes: Note[] = []
  let value = withoutLineBreak(withoutName(outOfJson(trim(pasted), notes), notes), notes)
  value = withoutLineBreak(unquote(value, notes), notes)
  const scheme = /^(?:bearer|token|apikey)\s/i.exec(value)
  if (scheme) {
    notes.push('scheme')
    value = unquote(trim(value.slice(scheme[0].length)), notes)
  }
  return { value, notes }
}

/** The text of an object with one member, such as `{"token": "…"}`. */
function outOfJson(value: string, notes: Note[]): string {
  if (!value.startsWith('{') || !value.endsWith('}')) return value
  const members: unknown[] = Object.values(parsedObject(value))
  const [text] = members
  if (members.length !== 1 || typeof text !== 'string') return value
  notes.push('json')
  return trim(text)
}

/** Empty if the text is not a JSON object. */
function parsedObject(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * A name before the value, on one line: in capitals with an underscore, after `export`, before ` = ` or `: `, or one that ends with a word
 * such as `token`. Any other `=` may belong to a key.
 */
const names: readonly RegExp[] = [
  /^(?:(?:export|set)\s+[A-Za-z_]\w{0,99}|\$env:\w{1,100}\s*|[A-Z][A-Z0-9]{0,49}(?:_[A-Z0-9]{1,50}){1,9})=(?!=)\s*(?=\S.*$)/,
  /^[A-Za-z][\w.-]{0,99}(?:\s{1,9}=\s*|(?:token|key|secret|password)=(?!=))(?=\S.*$)/i,
  /^["']?[A-Za-z][\w.-]{0,99}["']?\s{0,9}:\s+(?=\S.*$)/,
]

function withoutName(value: string, notes: Note[]): string {
  const [name] = names.flatMap((form) => form.exec(value) ?? [])
  // The name alone shows that the service has ended.
  if (name === undefined || endedServiceOf(value) !== undefined) return value
  notes.push('name')
  const rest = value.slice(name.length)
  // The end of a member of JSON.
  return /^(["']).*\1[,;]$/.test(rest) ? rest.slice(0, -1) : rest
}

/** Removes `\n` and `\r` written as two characters at the end. */
function withoutLineBreak(value: string, notes: Note[]): string {
  let end = value.length
  while (value.endsWith('\\n', end) || value.endsWith('\\r', end)) end -= 2
  if (end === value.length || end === 0) return value
  notes.push('escape')
  return trim(value.slice(0, end))
}

function unquote(value: string, notes: Note[]): string {
  const pairs = ['""', "''", '``', '“”', '‘’']
  const isQuoted = value.length > 2 && pairs.includes(`${value.at(0)}${value.at(-1)}`)
  if (!isQuoted || notes.includes('quotes')) return value
  notes.push('quotes')
  return trim(value.slice(1, -1))
}

/** Not a regular expression: one anchored at the end takes quadratic time on long white space inside the value. */
export function trim(value: string): string {
  let start = 0
  let end = value.length
  // `charAt` beyond the ends returns '', which is not blank.
  while (isBlank(value.charAt(start))) start++
  while (isBlank(value.charAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(character: string): boolean {
  return /[\s\u00ad\u180e\u200b-\u200f\u2060\ufeff]/.test(character)
}
