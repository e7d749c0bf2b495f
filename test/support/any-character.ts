import fc from 'fast-check'

/**
 * Any code point except surrogates, as a unit of `fc.string`. Unlike the unit `binary`, it does not build a table of all
 * code points.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
