import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/platform/secret.ts'
import { passwordFault } from '../../src/sign-in/passwords/password-rules.ts'

const rules = { passwordLengthMin: 8, passwordWords: ['Company'], issuer: 'https://accounts.harbour.example' }
const faultOf = (password: string, more = {}) =>
  passwordFault(new Secret(password), 'ada.lovelace@analytical-engines.example', { ...rules, ...more })

test.each([
  ...['password', 'PASSWORD', 'Passw0rd!', 'p@ssw0rd2026', 'P4$$w0rd!!', '$uperman2026', '!!iloveyou!!', 'we1come2026'],
  ...[
    'passwordpassword',
    'PasswordPassword1!',
    '1234567890',
    '123456789',
    'qwertyuiop',
    'Qwertyuiop123456',
    'asdfghjkl;2026',
  ],
  ...['Summer2026!', 'winter2025/26', 'September2026', 'Monday12345!', 'football!2026', 'b4seb4ll!'],
])('a common password in whatever dress is refused: %s', (password) => {
  expect(faultOf(password)).toMatch(/^is a common password/)
})

test.each([
  ...['muster123', 'Muster2026!', 'MusterMuster', 'harbour2026', 'Accounts!!1', 'Company123', 'C0mpany2026!'],
  ...[
    'ada.lovelace',
    'AdaLovelace1815',
    'Lovelace1815!',
    'analytical-engines',
    'Engines2026!',
    'ada.lovelace@analytical-engines.example',
  ],
])('a word of the service, the operator or the address is refused: %s', (password) => {
  expect(faultOf(password)).toMatch(/^must not be the e-mail address or a name/)
})

test.each(['aaaaaaaa', 'abababababab', '1111222233334444', '😀'.repeat(64), 'AaAaBbBb'])(
  'fewer than five different characters are refused: %s',
  (password) => {
    expect(faultOf(password)).toMatch(/^must have at least 5 different characters/)
  },
)

test.each([
  ...[
    'correct horse battery staple',
    'seventeen small turtles',
    'a pony in the attic',
    'пароль из пяти слов',
    'qzjxwvkp',
  ],
  ...[
    'password manager since tuesday',
    'summer on the moon',
    'the harbour master sleeps',
    'xK9#mQ2$vL7',
    '4kd92mfxq7rp3wt8',
  ],
  ...['muster the troops at dawn', 'ada wrote the first program', '83746502837465', '東京は夜の七時ですよ'],
])('any composition of unlisted words and characters is accepted: %s', (password) => {
  expect(faultOf(password)).toBeUndefined()
})

test('the length counts code points, and the refusal says what makes a good password', () => {
  expect(faultOf('qzjxwvkpm 14ch', { passwordLengthMin: 15 })).toMatch(
    /^must have at least 15 characters; four or more words that do not belong together/,
  )
  expect(faultOf('qzjxwvkpm 15 ch', { passwordLengthMin: 15 })).toBeUndefined()
  expect(faultOf('😀🐢🐎🔋📎🌙⚓', {})).toMatch(/^must have at least 8 characters/)
})

test('digits and symbols at the ends never make a listed word good', () => {
  const around = fc.string({ unit: fc.constantFrom(...'0123456789!?.-_#%&*+ '), maxLength: 20 })
  const listed = fc.constantFrom('password', 'sunshine', 'football', 'summer', 'qwertyuiop', 'company', 'muster')
  fc.assert(
    fc.property(around, listed, around, (before, word, after) => {
      const text = `${before}${word}${after}`
      fc.pre(text.length >= 8)
      expect(faultOf(text)).toBeDefined()
    }),
  )
})

test('a password of 1,024 characters is checked within 5 ms, whatever it repeats', () => {
  for (const text of [
    `${'ab1!'.repeat(255)}xyz?`,
    `a${'1'.repeat(1_022)}b`,
    '!'.repeat(1_024),
    'abcdefgh'.repeat(127),
  ]) {
    // The shortest of many: the machine may be busy.
    const times = Array.from({ length: 50 }, () => {
      const startMs = performance.now()
      faultOf(text)
      return performance.now() - startMs
    })
    expect(Math.min(...times)).toBeLessThan(5)
  }
})
