import { randomBytes } from 'node:crypto'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import type { Rows } from '../../platform/database/database.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { factorContext } from '../keys/encryption.ts'

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

function timeStepAt(nowMs: number): number {
  return Math.floor(nowMs / 1_000 / periodSeconds)
}

function toOtpSecret(secret: Buffer): OtpSecret {
  return new OtpSecret({ buffer: Uint8Array.from(secret).buffer })
}

interface FactorCode {
  readonly accountId: string
  readonly factorId: string
  readonly code: string
  /** True for a factor in use, false for one that waits for its first code. */
  readonly isVerified: boolean
}

/** What an accepted code says of its factor. */
interface AcceptedCode {
  /** The time step that the code belongs to. */
  readonly step: number
  /** By how many steps the clock of the authenticator is ahead of ours, from now on. */
  readonly drift: number
}

/**
 * `undefined` where the account has no such factor, or the code is not accepted. Accepted are the codes of two steps: the one that the
 * authenticator shows by its drift, and the one before, because users type slowly.
 */
export async function verifyFactorCode(
  { database, encryption, now }: BuiltInIssuer,
  { accountId, factorId, code, isVerified }: FactorCode,
): Promise<AcceptedCode | undefined> {
  const [row] = await database.query<FactorRow>(secretStatement, [factorId, accountId, isVerified])
  if (!row) return undefined
  const step = timeStepOf(encryption.decrypt(row.secret, factorContext(factorId)), code, now())
  if (step === undefined) return undefined
  const distance = step - timeStepAt(now())
  if (!isVerified) return learnDrift(step, distance)
  const { drift } = row
  if (distance === drift || distance === drift - 1) return { step, drift }
  return followDrift(database, factorId, row, { step, distance })
}

/** At the first code: a code that is late may be late because of the user, one that is early is so because of the clock. */
function learnDrift(step: number, distance: number): AcceptedCode | undefined {
  if (Math.abs(distance) > driftMax) return undefined
  return { step, drift: distance < 0 ? distance + 1 : distance }
}

/**
 * A code right beside the two is refused and noted; the next such code, of a later step, is accepted, and the drift follows by one. So a
 * guess is right for two codes at any time, and an authenticator whose clock moves away is not lost.
 */
async function followDrift(
  rows: Rows,
  factorId: string,
  { drift, missed_step: missed }: FactorRow,
  { step, distance }: { readonly step: number; readonly distance: number },
): Promise<AcceptedCode | undefined> {
  const side = distance > drift ? 1 : -1
  const isBeside = distance === (side === 1 ? drift + 1 : drift - 2)
  if (!isBeside || Math.abs(drift + side) > driftMax) return undefined
  if (missed !== null && step > Number(missed) && step <= Number(missed) + missedStepsMax)
    return { step, drift: drift + side }
  await rows.query(missStatement, [factorId, step])
  return undefined
}

/** Steps by which the clock of an authenticator may differ. */
const driftMax = 2
/** A missed code counts for five minutes. */
const missedStepsMax = 10

interface FactorRow {
  readonly secret: Buffer
  readonly drift: number
  /** A bigint, which the driver reads as text. */
  readonly missed_step: string | null
}

/** Whether the account has this factor in use. */
export async function hasVerifiedFactor(rows: Rows, accountId: string, factorId: string): Promise<boolean> {
  return (await rows.query(secretStatement, [factorId, accountId, true])).length === 1
}

/** A code works once (RFC 6238 §5.2), and earlier codes stop working. Of several concurrent calls one returns true. */
export async function consumeTimeStep(rows: Rows, factorId: string, { step, drift }: AcceptedCode): Promise<boolean> {
  return (await rows.query(consumeStatement, [factorId, step, drift])).length === 1
}

const secretStatement = {
  name: 'factor_secret',
  text: `select secret, drift, missed_step from factor where id = $1 and account_id = $2 and (verified_at is not null) = $3::boolean`,
}

const consumeStatement = {
  name: 'factor_consume_step',
  text: `
update factor set last_step = $2, drift = $3, missed_step = null
where id = $1 and verified_at is not null and last_step < $2 returning id`,
}

const missStatement = { name: 'factor_miss_step', text: `update factor set missed_step = $2 where id = $1` }
