import { randomBytes } from 'node:crypto'
import { Secret as OtpSecret, TOTP } from 'otpauth'

/** RFC 6238 with what every authenticator app understands: SHA-1, six digits, thirty seconds. */
const periodSeconds = 30
const settings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** RFC 4226 §4 R6 recommends 160 bits. */
export function newOtpSecret(): Buffer {
  return randomBytes(20)
}

/** The secret as an app takes it, typed or as the text of a QR code. */
export function describeOtpSecret(secret: Buffer, { issuer, email }: { issuer: string; email: string }) {
  const otp = otpSecret(secret)
  return { secret: otp.base32, uri: new TOTP({ ...settings, issuer, label: email, secret: otp }).toString() }
}

/**
 * The time step whose code this is: the current one, the one before or the one after, for clocks that differ and people who
 * type slowly. Nothing where it is none of them. A step must be accepted once only (RFC 6238 §5.2).
 */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | undefined {
  const delta = new TOTP({ ...settings, secret: otpSecret(secret) }).validate({
    token: code,
    timestamp: nowMs,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta
}

function otpSecret(secret: Buffer): OtpSecret {
  return new OtpSecret({ buffer: Uint8Array.from(secret).buffer })
}
