import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as shown from '../../console/src/ui/email.ts'
import { displayEmail, hasMixedScripts } from '../../src/platform/email.ts'

const letters = [...'abz09-ä', 'ß', 'é', 'а', 'ж', 'λ', 'ο', 'テ', '光', '한', '💩', '𝒜']
const label = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 15 }).map((some) => some.join(''))
const unicodeDomain = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => domainToASCII(labels.join('.')))
const anyALabel = fc.stringMatching(/^[a-z0-9-]{0,20}$/).map((text) => `xn--${text}.de`)

test('the console shows every email, and warns of it, exactly as the command line does', () => {
  fc.assert(
    fc.property(fc.oneof(unicodeDomain, anyALabel), (domain) => {
      const email = `ada@${domain}`
      expect(shown.displayEmail(email)).toBe(displayEmail(email))
      expect(shown.hasMixedScripts(email)).toBe(hasMixedScripts(email))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['mueller@xn--exmple-cua.de', 'mueller@exämple.de (mueller@xn--exmple-cua.de)', false],
  ['ada@xn--pple-43d.com', 'ada@аpple.com (ada@xn--pple-43d.com)', true],
  ['ada@xn---bba.de', 'ada@xn---bba.de', false],
  ['ada@xn--apple-.com', 'ada@xn--apple-.com', false],
  ['ada@example.com', 'ada@example.com', false],
])('%s is shown as %s', (email, text, isMixed) => {
  expect([shown.displayEmail(email), shown.hasMixedScripts(email)]).toEqual([text, isMixed])
})
