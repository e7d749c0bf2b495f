import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayNameFault, normalizeDisplayName } from '../../../src/platform/http/formats.ts'
import { anyCharacter } from '../../support/any-character.ts'

const lengths = 'must have 1 to 200 characters'
const characters = 'must not have control, invisible or bidirectional characters'

test.each([
  ['Müller', undefined],
  ['  Grace Hopper\n', undefined],
  ['光', undefined],
  ['👩‍👩‍👧 Ada', undefined],
  ['علی‌رضا', undefined],
  ['😀'.repeat(200), undefined],
  [`${' '.repeat(300)}Ada${' '.repeat(300)}`, undefined],
  ['', lengths],
  [' \t\n ', lengths],
  ['x'.repeat(201), lengths],
  ['\u0958'.repeat(101), lengths], // NFC writes U+0958 with two characters.
  ['Ada\u0000', characters],
  ['Ada\nLovelace', characters],
  ['Ada\u202Eevil', characters],
  ['Ada\u061C', characters],
  ['Ada\u200B', characters],
  ['Ada\uD800', characters],
])('the display name %j %s', (text, fault) => {
  expect(displayNameFault(text)).toBe(fault)
})

test('a name without a fault is stored in NFC, without spaces at the ends, and has no fault again', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 250 }),
    fc.string({ unit: 'grapheme', maxLength: 250 }),
  )
  fc.assert(
    fc.property(text, (name) => {
      fc.pre(displayNameFault(name) === undefined)
      const stored = normalizeDisplayName(name)
      expect(displayNameFault(stored)).toBeUndefined()
      expect([stored.normalize('NFC'), stored.trim(), normalizeDisplayName(stored)]).toEqual([stored, stored, stored])
    }),
  )
})

test('a name of 4 MiB is rejected within a moment', () => {
  const startedAtMs = performance.now()
  expect(displayNameFault('a\u0308'.repeat(2 * 1024 * 1024))).toBe(lengths)
  expect(performance.now() - startedAtMs).toBeLessThan(100)
})
