import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.ts'
import { Secret } from '../../src/platform/secret.ts'
import { passwordFault } from '../../src/sign-in/passwords/password-rules.ts'

const rules = { passwordLengthMin: 8, passwordWords: ['Company'], issuer: 'https://accounts.harbour.example' }
const faultOf = (password: string, more = {}) =>
  passwordFault(new Secret(password), 'ada.lovelace@analytical-engines.example', { ...rules, ...more })

/** The words of a text. */
const words = (text: string) => text.trim().split(/\s+/)

test.each(
  words(`
    password PASSWORD Password1 Passw0rd! p@ssw0rd2026 P4$$w0rd!! drowssap2026 password123456789012
    $uperman2026 superman!!!!!!!! !!iloveyou!! iloveyou2026 il0vey0u we1come2026 w3lc0me2026 Welcome2026!!!! letmein2026!!!!!
    passwordpassword PasswordPassword1! qwertyqwertyqwerty1 monkeymonkeymonkey dragondragon1234
    1234567890 123456789 123456789012345 1234567890123456 ..12345678900987.. 147258369147258 11223344556677
    qwertyuiop Qwertyuiop123456 qwertzuiop2026!! asdfghjkl;2026 zxcvbnm,.-123456 1qaz2wsx3edc4rfv QWERTYUIOPASDFGHJKLZXCVBNM
    Summer2026! summersummer2026 $ummer2026!!!!! winter2025/26 Winter2026-2027! Spring2026!!!!! autumn.2026.2027 January2026!!!!!
    September2026 september-2026-09 Monday12345! tuesday!!!!!2026 W3dn3sday2026!! fr1day-13-13 987654329876543 saturday20262027
    football!2026 f00tball2026!!! baseball12345678 b4seb4ll! basketball2026!! jordan23232323 michael123456789 Jennifer1990!!!!
    starwars2026!!!! St4rw4rs!!!!!!! trustno1trustno1 TrustNo1!!!!!! princess12345678 sunshine!!!!!!!! $un$h1ne20262026 charlie123456789
    internet12345678 computer12345678 samsung123456789 m1cr0s0ft2026!!! chelsea123456789 liverpool1234567 arsenal.123456789
    ｐａｓｓｗｏｒｄ2026 𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝!2026`),
)('rejects a disguised common password: %s', (password) => {
  expect(faultOf(password)).toMatch(/^(is a common password|must have at least 5 different)/)
})

test.each(
  words(`
    muster123 Muster2026! MusterMuster MUSTERMUSTER2026!! mu5ter!!!!!!!!! 2026muster2026
    harbour2026 Harbour!!!!!!!!! h4rb0ur2026!!!! accounts!!1 Accounts20262027 example2026!!!!!
    Company123 C0mpany2026! companycompany!! !!!!company!!!!! 2026-Company-2027
    ada.lovelace AdaLovelace1815 Lovelace1815! l0v3lace!!!!!! ada.lovelace18151852 lovelacelovelace
    analytical-engines Engines2026! AnalyticalEngines2026 Analytical!!!!!! ada.lovelace@analytical-engines.example`),
)('rejects a word of the service, the operator or the email: %s', (password) => {
  expect(faultOf(password)).toMatch(/^(must not be your email or a name|is a common password)/)
})

test.each(['aaaaaaaa', 'abababababab', '1111222233334444', '😀'.repeat(64), 'AaAaBbBb'])(
  'rejects fewer than five different characters: %s',
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
  ...['password manager since tuesday', 'summer on the moon', 'the harbour master sleeps', 'muster the troops at dawn'],
  ...['ada wrote the first program', 'xK9#mQ2$vL7', '4kd92mfxq7rp3wt8', '83746502837465', '東京は夜の七時ですよ'],
  ...['four grey herons in a row', 'lantern-otter-quilt-maple', 'Lantern Otter Quilt Maple', 'lanternotterquiltmaple'],
  ...['my dentist plays the tuba', 'no, not on a wednesday', 'company of wolves and bees', 'engines need oil and love'],
  ...[
    'der Mond ist aufgegangen',
    'le chat boit du café noir',
    'zażółć gęślą jaźń',
    'ευρηκα στο λουτρο',
    'مفتاح البيت القديم',
  ],
  ...['🐢🐎🔋📎🌙⚓🎲🧩', 'R7mTqWz0pLx3VbNc', 'vT9-Qw2_Lk5.Zx8', '{"not":"a","json":1}', "'; drop table account; --"],
  ...[
    'a b c d e f g h',
    '0f8a3c5e7b9d1f2a',
    '9f86d081-884c-7d65',
    'x'.repeat(40).concat('yzwvu'),
    'passwords are like socks',
  ],
  ...[
    'monday is not my friend',
    'winter is here again',
    'iloveyou more than soup',
    'qwerty keyboards are loud',
    '8 ants ate 9 figs',
  ],
])('accepts any other composition: %s', (password) => {
  expect(faultOf(password)).toBeUndefined()
})

test('counts code points, and the error says what makes a good password', () => {
  expect(faultOf('qzjxwvkpm 14ch', { passwordLengthMin: 15 })).toMatch(
    /^must have at least 15 characters; four or more unrelated words/,
  )
  expect(faultOf('qzjxwvkpm 15 ch', { passwordLengthMin: 15 })).toBeUndefined()
  expect(faultOf('😀🐢🐎🔋📎🌙⚓', {})).toMatch(/^must have at least 8 characters/)
})

const listed = readFileSync(`${packageRoot()}/lists/common-passwords.txt`, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

test('rejects the 10,000 most common passwords of at least 8 characters', () => {
  expect(new Set(listed).size).toBe(10_000)
  for (const entry of listed) expect([...entry].length, entry).toBeGreaterThanOrEqual(8)
  expect(listed.filter((entry) => faultOf(entry) === undefined)).toEqual([])
})

test('digits and symbols around a listed word never make it acceptable, in any case', () => {
  const around = fc.string({ unit: fc.constantFrom(...'0123456789!?.-_#%&*+ '), maxLength: 20 })
  const words = fc.constantFrom(...listed, 'summer', 'qwertyuiop', 'company', 'muster', 'harbour')
  fc.assert(
    fc.property(around, words, around, fc.boolean(), (before, word, after, isUpper) => {
      const text = `${before}${isUpper ? word.toUpperCase() : word}${after}`
      fc.pre(text.length >= 8)
      expect(faultOf(text)).toBeDefined()
    }),
    { numRuns: 500 },
  )
})

test('checks any password of 1,024 characters within 5 ms', () => {
  for (const text of [
    `${'ab1!'.repeat(255)}xyz?`,
    `a${'1'.repeat(1_022)}b`,
    '!'.repeat(1_024),
    'abcdefgh'.repeat(127),
  ]) {
    // The minimum of many runs, because the machine may be busy.
    const times = Array.from({ length: 50 }, () => {
      const startMs = performance.now()
      faultOf(text)
      return performance.now() - startMs
    })
    expect(Math.min(...times)).toBeLessThan(5)
  }
})
