import { randomBytes } from 'node:crypto'
import { Secret as OtpSecret, TOTP } from 'otpauth'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const periodSeconds = 30
const settings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** RFC 4226 §4 R6 recommends 160 bits. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

/** The secret as an authenticator app reads it: typed in base32, or as the `otpauth:` URI of a QR code. */
export function describeTotpSecret(secret: Buffer, { issuer, email }: { issuer: string; email: string }) {
  const otp = toOtpSecret(secret)
  return { secret: otp.base32, uri: new TOTP({ ...settings, issuer, label: email, secret: otp }).toString() }
}

/** The farthest step that is recognised: that beside the accepted ones of a clock that differs by two. */
const window = 4

/**
 * The time step that a code belongs to, of those near the current one. `undefined` for any other code. It says nothing of whether the
 * code is accepted: that depends on the drift of its factor.
 */
export function timeStepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const delta = new TOTP({ ...settings, secret: toOtpSecret(secret) }).validate({
    token: code,
    timestamp: nowMs,
    window,
  })
  return delta === null ? undefined : timeStepAt(nowMs) + delta
}

export function timeStepAt(nowMs: number): number {
  return Math.floor(nowMs / 1_000 / periodSeconds)
}

function toOtpSecret(secret: Buffer): OtpSecret {
  return new OtpSecret({ buffer: Uint8Array.from(secret).buffer })
}
