import fc from 'fast-check'

/**
 * Any code point except surrogates, as a unit of `fc.string`. The unit `binary` is the same, but builds a table of all
 * code points.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - 0x800 }).map(characterOf, numberOf)

function characterOf(number: number): string {
  return String.fromCodePoint(number < 0xd800 ? number : number + 0x800)
}

/** For fast-check, which shrinks texts and tries some dangerous ones, such as `__proto__`. */
function numberOf(text: unknown): number {
  const number = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : -1
  const found = number < 0xd800 ? number : number - 0x800
  if (number < 0 || characterOf(found) !== text) throw new Error('not one character')
  return found
}
