import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completed } from '../../engine/provider-client.ts'

const list = '{"total":3,"zones":[{"name":"a.example","records":[{"id":1}]},{"name":"b.example","records":[{"id":2},'

test.each([
  [list, { total: 3, zones: [{ name: 'a.example', records: [{ id: 1 }] }] }],
  ['[{"name":"a, \\"[b]\\""},{"name":"c', [{ name: 'a, "[b]"' }]],
  ['{"data":{"zones":[', { data: { zones: [] } }],
  ['{"error":null,"message":"half', { error: null }],
  ['[12,3', [12]],
  ['[1,2]', [1, 2]],
])('keeps the complete values of a beginning: %s', (beginning, kept) => {
  expect(JSON.parse(completed(beginning))).toEqual(kept)
})

test('a beginning that has no complete value is no JSON', () => {
  for (const beginning of ['', ' ', '"text', '12', 'nul']) expect(completed(beginning)).toBe('')
})

const document = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))

test('any beginning of a document keeps only values of the document, in their places', () => {
  fc.assert(
    fc.property(document, fc.nat(), (value, cut) => {
      const text = JSON.stringify(value)
      expect(completed(text)).toBe(text)
      expectPart(JSON.parse(completed(text.slice(0, 1 + (cut % text.length)))), JSON.parse(text))
    }),
  )
})

/** Entries of a list are whole. The last members of an object may be missing. */
function expectPart(part: unknown, whole: unknown): void {
  if (Array.isArray(part) && Array.isArray(whole)) expect(part).toEqual(whole.slice(0, part.length))
  else if (typeof part !== 'object' || part === null || Array.isArray(part)) expect(part).toEqual(whole)
  else for (const [name, value] of Object.entries(part)) expectPart(value, Object(whole)[name])
}
