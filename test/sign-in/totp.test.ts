import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { describeTotpSecret, newTotpSecret, timeStepOf } from '../../src/sign-in/factors/totp.ts'

/** RFC 6238, appendix B, with the last six of its eight digits. */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of the RFC at %i s belongs to its own step', (seconds, code) => {
  const secret = Buffer.from('12345678901234567890')
  expect(timeStepOf(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
})

test('finds the step of a code within the nine nearest steps, and none for other codes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: -6, max: 6 }), (seconds, distance) => {
      const secret = newTotpSecret()
      const totp = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })
      const step = Math.floor(seconds / 30) + distance
      fc.pre(step > 0)
      const code = totp.generate({ timestamp: step * 30_000 })
      const found = timeStepOf(secret, code, seconds * 1_000)
      // One code in a million also belongs to a neighboring step, which is accepted too.
      if (found !== undefined) expect(totp.generate({ timestamp: found * 30_000 })).toBe(code)
      if (Math.abs(distance) <= 4) expect(found).toBeDefined()
      else expect(found).not.toBe(step)
    }),
    { numRuns: 200 },
  )
})

test('an authenticator app can read the secret and the URI', () => {
  const secret = newTotpSecret()
  const { uri, secret: base32 } = describeTotpSecret(secret, { issuer: 'muster.example.com', email: 'ada@example.com' })
  expect(Buffer.from(Secret.fromBase32(base32).bytes)).toEqual(secret)
  expect(uri).toMatch(/^otpauth:\/\/totp\/muster\.example\.com:ada%40example\.com\?/)
})
