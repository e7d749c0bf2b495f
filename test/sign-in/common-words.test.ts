import { expect, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { passwordFault } from '../../src/sign-in/passwords/password-rules.ts'

const rules = { passwordLengthMin: 8, passwordWords: [], issuer: 'https://accounts.harbour.example' }
const faultOf = (password: string) => passwordFault(new Secret(password), 'ada@analytical-engines.example', rules)

const months = 'january february march april may june july august september october november december'
const seasons = 'spring summer autumn fall winter'
const days = 'monday tuesday wednesday thursday friday saturday sunday'
const rows = 'qwertyuiop qwertzuiop azertyuiop asdfghjkl zxcvbnm yxcvbnm qwertyuiopasdfghjklzxcvbnm'
const words = [months, seasons, days, rows].flatMap((text) => text.split(' '))

test.each(words)('rejects %s with a year and symbols in any case', (word) => {
  const upper = word.charAt(0).toUpperCase() + word.slice(1)
  for (const password of [`${word}20262027`, `${upper}-2026-!?#`, `2026!?${word.toUpperCase()}?!2027`])
    expect(faultOf(password), password).toMatch(/^is a common password, which attackers try first;/)
})

test.each(['12345678', '23456789', '34567890', '09876543', '98765432', '87654321', '76543210'])(
  'rejects the digits %s between other digits and symbols',
  (digits) => {
    for (const password of [digits, `..${digits}..`, `6${digits}1`, `+49${digits}`])
      expect(faultOf(password), password).toMatch(/^is a common password, which attackers try first;/)
  },
)

test('accepts digits and symbols that are in no list', () => {
  for (const password of ['83-74-65-02', '#_#83746502%&', '5550-3184-2296']) expect(faultOf(password)).toBeUndefined()
})

test('rejects a name with a letter without a capital form, such as ß, in any case', () => {
  const named = (password: string, email: string, passwordWords: readonly string[] = []) =>
    passwordFault(new Secret(password), email, { ...rules, passwordWords })
  const name = /^must not be your email or a name from this service or your organizations;/
  for (const password of ['straße2026!', 'Straße-2026', 'grüße20262027', 'straße@grüße.example'])
    expect(named(password, 'straße@grüße.example'), password).toMatch(name)
  for (const word of ['Fußball', 'fußball', 'FUßBALL'])
    expect(named('fußball-2026-2027', 'ada@example.com', [word]), word).toMatch(name)
})
