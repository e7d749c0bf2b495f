import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches } from '../../providers/azure/zones.ts'

const word = fc.stringMatching(/^[a-cA-C/.]{0,6}$/)

test('a pattern of Azure matches like the same text with any text for each *', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.array(word, { maxLength: 5 }), (parts, fill) => {
      const escaped = parts.map((part) => part.replace(/[.]/g, '\\.'))
      const expected = new RegExp(`^${escaped.join('.*')}$`, 'i')
      const made = parts.flatMap((part, n) => (n === 0 ? [part] : [fill[n - 1] ?? '', part])).join('')
      for (const action of [made, made.slice(1), `${made}a`, fill.join('')])
        expect(matches(parts.join('*'), action), action).toBe(expected.test(action))
    }),
  )
})
