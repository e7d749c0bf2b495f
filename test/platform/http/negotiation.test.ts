import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseType } from '../../../src/platform/http/negotiation.ts'

const offered = ['application/json', 'text/csv; bom=absent', 'text/csv; bom=present'] as const

const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/).filter((name) => name !== 'q' && name !== 'bom')
const text = fc.string({ maxLength: 12 }).filter((value) => /^[\t\x20-\x7e]*$/.test(value))
const quoted = (value: string) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

interface Element {
  readonly bom: 'present' | 'absent' | undefined
  readonly quality: number
  readonly others: readonly (readonly [string, string])[]
}

const element: fc.Arbitrary<Element> = fc.record({
  bom: fc.constantFrom('present' as const, 'absent' as const, undefined),
  quality: fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000),
  others: fc.array(fc.tuple(token, text), { maxLength: 3 }),
})

function written({ bom, quality, others }: Element, isQuoted: boolean): string {
  const parameters = [
    ...others.map(([name, value]) => `${name}=${quoted(value)}`),
    ...(bom === undefined ? [] : [`bom=${isQuoted ? quoted(bom) : bom}`]),
  ]
  return [isQuoted ? 'Text/CSV' : 'text/csv', ...parameters, `q=${quality}`].join(isQuoted ? ' ; ' : ';')
}

/** The weight of one variant: that of the first range for it, or else that of the first range for both. */
function weightOf(elements: readonly Element[], bom: 'present' | 'absent'): number {
  const own = elements.find((one) => one.bom === bom) ?? elements.find((one) => one.bom === undefined)
  return own?.quality ?? 0
}

test('parameters choose the variant of a type, however they are written and whatever other parameters contain', () => {
  fc.assert(
    fc.property(fc.array(element, { minLength: 1, maxLength: 4 }), fc.boolean(), (elements, isQuoted) => {
      const [absent, present] = [weightOf(elements, 'absent'), weightOf(elements, 'present')]
      const best = absent === 0 && present === 0 ? undefined : present > absent ? offered[2] : offered[1]
      const accept = elements.map((one) => written(one, isQuoted)).join(isQuoted ? ' , ' : ',')
      expect([accept, chooseType(accept, offered)]).toEqual([accept, best])
    }),
  )
})

test('reads any header without an error, and in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'text/csv;bom="\\,=q.01* ') }), (accept) => {
      expect([...offered, undefined]).toContain(chooseType(accept, offered))
    }),
  )
  for (const piece of ['"', '\\', '";', ',"\\', ';a="b', '""'])
    expect([...offered, undefined]).toContain(chooseType(piece.repeat(16_000), offered))
})
