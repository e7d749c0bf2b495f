import { randomBytes } from 'node:crypto'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import type { Rows } from '../../platform/database/database.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { factorContext } from '../keys/encryption.ts'

/** RFC 6238 with the parameters that every authenticator app supports: SHA-1, 6 digits, 30 seconds. */
const periodSeconds = 30
const settings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** RFC 4226 §4 R6 recommends 160 bits. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

/** The secret for an authenticator app: in base32, and as the `otpauth:` URI of a QR code. */
export function describeTotpSecret(secret: Buffer, { issuer, email }: { issuer: string; email: string }) {
  const otp = toOtpSecret(secret)
  return { secret: otp.base32, uri: new TOTP({ ...settings, issuer, label: email, secret: otp }).toString() }
}

/** Steps that are searched in each direction: one more than a clock with the largest drift can show. */
const window = 4

/**
 * Returns the time step of a code near the current time, or `undefined` for any other code. Whether the code is
 * accepted depends on the drift of its factor.
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
  /** True for a verified factor, false for one that waits for its first code. */
  readonly isVerified: boolean
}

interface AcceptedCode {
  /** The time step of the code. */
  readonly step: number
  /** The steps by which the authenticator's clock is ahead of ours. Stored with the factor. */
  readonly drift: number
}

/**
 * Returns `undefined` if the account has no such factor or the code is not accepted. Accepts the codes of two steps:
 * the step that the authenticator displays, given its drift, and the one before, because users type slowly.
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

/** Derives the drift from the first code. A late code may be due to a slow user, an early code only to the clock. */
function learnDrift(step: number, distance: number): AcceptedCode | undefined {
  if (Math.abs(distance) > driftMax) return undefined
  return { step, drift: distance < 0 ? distance + 1 : distance }
}

/**
 * Rejects and records a code that is one step outside. The next such code of a later step is accepted and moves the
 * drift by one step. A guess can therefore match only two codes at any time, and an authenticator whose clock drifts
 * stays usable.
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

/** Maximum drift of an authenticator's clock, in steps. */
const driftMax = 2
/** A recorded miss counts for 10 steps (5 minutes). */
const missedStepsMax = 10

interface FactorRow {
  readonly secret: Buffer
  readonly drift: number
  /** A bigint, which the driver reads as text. */
  readonly missed_step: string | null
}

export async function hasVerifiedFactor(rows: Rows, accountId: string, factorId: string): Promise<boolean> {
  return (await rows.query(secretStatement, [factorId, accountId, true])).length === 1
}

/** A code works once (RFC 6238 §5.2), and older codes stop working. Of several concurrent calls, one returns true. */
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
