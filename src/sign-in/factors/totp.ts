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

/**
 * The time step that a code belongs to: the current one, the one before or the one after, because clocks differ and users type
 * slowly. `undefined` for any other code. The caller accepts each step once only (RFC 6238 §5.2).
 */
export function timeStepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const delta = new TOTP({ ...settings, secret: toOtpSecret(secret) }).validate({
    token: code,
    timestamp: nowMs,
    window: 1,
  })
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / periodSeconds) + delta
}

function toOtpSecret(secret: Buffer): OtpSecret {
  return new OtpSecret({ buffer: Uint8Array.from(secret).buffer })
}
