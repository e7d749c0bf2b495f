import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProviders } from '../../engine/catalogue.ts'
import { clean } from '../../engine/credential.ts'
import { mistakeIn, otherServices } from '../../engine/local-checks.ts'
import { openForTest, simulatorForTest } from './harness.ts'

const providers = [...(await readProviders()).values()]
const keyTypes = providers.flatMap(({ id, keyTypes }) => Object.values(keyTypes).map((info) => ({ id, ...info })))
const parts = keyTypes.flatMap(({ id, parts = {} }) => Object.values(parts).map((part) => ({ id, ...part })))

/** The published forms of keys, and the forms of other parts. */
const forms = [
  ...keyTypes.flatMap(({ publishedForm }) => publishedForm?.pattern ?? []),
  ...parts.flatMap(({ publishedForm }) => publishedForm?.pattern ?? []),
  ...otherServices.map(({ form }) => form.pattern),
]

/** Keys as generators make them: hexadecimal, base64, base64url, letters and digits, UUIDs, JWTs, and pairs with a dot. */
const issued = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{16,64}$/),
  fc.stringMatching(/^[0-9A-F]{16,64}$/),
  fc.stringMatching(/^[A-Za-z0-9]{20,64}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{20,64}$/),
  fc.stringMatching(/^[A-Za-z0-9+/]{20,64}={0,2}$/),
  fc.stringMatching(/^[A-Z0-9]{20,64}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}$/),
  fc.stringMatching(/^[0-9a-f]{32}\.[A-Za-z0-9_-]{86}$/),
  fc.stringMatching(/^eyJ[A-Za-z0-9_-]{30}\.eyJ[A-Za-z0-9_-]{60}\.[A-Za-z0-9_-]{43}$/),
  fc.stringMatching(/^[0-9]{1,6}[$|][A-Za-z0-9]{40}$/),
  fc.uuid(),
)

describe('a key that a provider may have issued', () => {
  test.each(forms)('is never called a mistake and never shortened: %s', (pattern) => {
    // A form with \S leaves the alphabet open.
    const form = new RegExp(pattern.replaceAll('\\S', '[A-Za-z0-9_-]'))
    fc.assert(
      fc.property(fc.stringMatching(form), (key) => {
        expect([key, mistakeIn(key), clean(key)]).toEqual([key, undefined, { value: key, notes: [] }])
      }),
    )
  })

  test('is never called a mistake and never shortened if it is random', () => {
    fc.assert(
      fc.property(issued, (key) => {
        expect([key, mistakeIn(key), clean(key)]).toEqual([key, undefined, { value: key, notes: [] }])
      }),
      { numRuns: 5_000 },
    )
  })

  test('is never called a mistake if it is the example of a part', () => {
    const examples = parts.flatMap(({ example, isChosen }) => (example === undefined || isChosen ? [] : example))
    expect(examples.length).toBeGreaterThan(5)
    const called = examples.filter((example) => mistakeIn(example) !== undefined)
    // An example that is a host name is sent, because it matches the form of its part.
    const own = parts.filter(({ example, mustMatch }) => mustMatch && called.includes(example ?? ''))
    expect(own.map(({ example }) => example)).toEqual(called)
    for (const { example = '', mustMatch = '' } of own) expect(example).toMatch(new RegExp(mustMatch))
  })
})

test('takes less than 100 ms for any text of 4,096 characters', () => {
  const hard = ['a', ' ', '*', 'x', '.', '-', 'a.', '$', '{{', 'a_', 'YOUR_', '\n', 'a: b\n', '[', 'A_', 'vault:', '@']
  for (const piece of hard)
    for (const text of [piece.repeat(4_096 / piece.length), `${piece.repeat(2_040)}\0`]) {
      // The quickest of three, because the machine may be busy.
      const tookMs = [1, 2, 3].map(() => {
        const startedAt = performance.now()
        mistakeIn(text)
        clean(text)
        return performance.now() - startedAt
      })
      expect(Math.min(...tookMs), JSON.stringify(piece)).toBeLessThan(100)
    }
})

test('sends a password and a user name of any form', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await openForTest({ baseUrls: simulator.baseUrls })
  const sent: (string | null)[] = []
  simulator.fault = ({ body }) => {
    sent.push(new URLSearchParams(body).get('password'))
    return undefined
  }
  for (const apiKey of ['changeme', '$ecret', '"quoted"', 'My_Key=1', 'two words', 'null'])
    await keyChecks.check({ provider: 'ultradns', keyType: 'api_key', apiKey, parts: { username: 'you@example.com' } })
  expect(sent).toEqual(['changeme', '$ecret', '"quoted"', 'My_Key=1', 'two words', 'null'])
})

test('every password, passphrase and user name is one that a user may have chosen', () => {
  const isWord = (label = '') => /password|passphrase|user name/.test(label)
  const named = [...keyTypes.map(({ keyLabel, ...info }) => ({ ...info, label: keyLabel ?? info.label })), ...parts]
  const chosen = named.filter(({ isChosen }) => isChosen).map(({ id, label }) => `${id}: ${label}`)
  expect(chosen).toEqual(named.filter(({ label }) => isWord(label)).map(({ id, label }) => `${id}: ${label}`))
  expect(chosen.length).toBeGreaterThan(5)
})
