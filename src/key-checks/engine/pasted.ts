import type { Note } from './messages.ts'

/** What is sent of a pasted key: the same for every way to paste it. */
export function cleanedKey(pasted: string): string {
  return clean(pasted).value
}

/** Leaves out white space, byte order marks and zero-width characters around a value, one authorization word before it, one pair of quotes. */
export function clean(pasted: string): { value: string; notes: Note[] } {
  const notes: Note[] = []
  let value = unquote(trim(pasted), notes)
  const scheme = /^(?:bearer|token|apikey)\s+/i.exec(value)
  if (scheme) {
    notes.push('scheme')
    value = unquote(trim(value.slice(scheme[0].length)), notes)
  }
  return { value, notes }
}

function unquote(value: string, notes: Note[]): string {
  const pairs = ['""', "''", '``', '“”', '‘’']
  const isQuoted = value.length > 2 && pairs.includes(`${value.at(0)}${value.at(-1)}`)
  if (!isQuoted || notes.includes('quotes')) return value
  notes.push('quotes')
  return trim(value.slice(1, -1))
}

/** Without a pattern: one anchored at the end takes quadratic time on a long run of white space inside the value. */
export function trim(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charAt(start))) start++
  while (end > start && isBlank(value.charAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(character: string): boolean {
  return /[\s\u00ad\u180e\u200b-\u200f\u2060\ufeff]/.test(character)
}
