import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import { emailPattern } from '../contract/text.ts'
import { Problem, refuse } from '../problems.ts'
import type { Caller } from './caller.ts'

/** One issuer whose access tokens are taken. Everything is fixed here; nothing is learnt from a token or from a key set. */
export interface Issuer {
  /** Compared exactly, character by character (RFC 9068 §4). */
  readonly issuer: string
  /** Its name in the table `identity`: the same as `issuer`, but for the built-in one, whose address may change. */
  readonly identityIssuer: string
  readonly keys: JWTVerifyGetKey
  readonly algorithms: readonly string[]
  /** For whom the token must be: an audience, or a claim such as `azp` with the values taken. */
  readonly audience?: string
  readonly party?: { readonly claim: string; readonly oneOf: readonly string[] }
  readonly typ?: string
  /** Claims with one allowed value: `{ token_use: 'access' }`. */
  readonly exactly?: Readonly<Record<string, string>>
  readonly claims: {
    readonly subject: string
    readonly session?: string
    readonly email: string
    readonly emailVerified: string
  }
  readonly lifetimeMaxSeconds: number
  readonly isBuiltIn: boolean
  readonly trustsEmail: boolean
  readonly provisions: boolean
  /** Whether `nonce` and `at_hash`, the marks of an ID token, refuse a token. */
  readonly refusesIdTokens: boolean
}

/** A token that verified, and until when (milliseconds since 1970) it does. */
export interface Verified {
  readonly caller: Caller
  readonly expiresAtMs: number
}

/** Clocks of issuer and service may differ by this much. */
export const clockToleranceSeconds = 5

/** OpenID Connect Core §2: a subject has at most 255 characters. */
const subjectLengthMax = 255

/**
 * Verifies an access token against the issuer that it names, which must be one of `issuers`; an unknown one costs no network.
 * Problems: `token_expired`, `token_invalid`, and `issuer_unavailable` where the keys cannot be had.
 */
export async function verifyToken(token: string, issuers: ReadonlyMap<string, Issuer>, now: Clock): Promise<Verified> {
  try {
    const claimed = decodeJwt(token).iss // unverified: it only picks an entry
    const issuer = (typeof claimed === 'string' && issuers.get(claimed)) || refuse('token_invalid')
    const { payload } = await jwtVerify(token, issuer.keys, {
      issuer: issuer.issuer,
      algorithms: [...issuer.algorithms],
      requiredClaims: ['exp', issuer.claims.subject],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now()),
      ...(issuer.audience !== undefined && { audience: issuer.audience }),
      ...(issuer.typ !== undefined && { typ: issuer.typ }),
    })
    checkClaims(payload, issuer, now)
    return { caller: callerOf(payload, issuer), expiresAtMs: Number(payload.exp) * 1_000 }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof errors.JWTExpired) return refuse('token_expired', { cause: error })
    // A forged token can make jose throw a plain TypeError, so "not a JOSE error" must not mean "our fault".
    return refuse('token_invalid', { cause: error })
  }
}

/** What `jwtVerify` leaves open: it takes an `iat` in the future and an `exp` in a thousand years. */
function checkClaims(payload: JWTPayload, issuer: Issuer, now: Clock): void {
  const latestSeconds = now() / 1_000 + clockToleranceSeconds
  if (payload.iat !== undefined && payload.iat > latestSeconds) refuse('token_invalid')
  if (Number(payload.exp) > latestSeconds + issuer.lifetimeMaxSeconds) refuse('token_invalid')
  if (issuer.party && !issuer.party.oneOf.includes(String(payload[issuer.party.claim]))) refuse('token_invalid')
  for (const [claim, value] of Object.entries(issuer.exactly ?? {}))
    if (payload[claim] !== value) refuse('token_invalid')
  if (issuer.refusesIdTokens && (payload.nonce !== undefined || payload.at_hash !== undefined)) refuse('token_invalid')
}

function callerOf(payload: JWTPayload, issuer: Issuer): Caller {
  const subject = textOf(payload, issuer.claims.subject) ?? refuse('token_invalid')
  const session = textOf(payload, issuer.claims.session)
  const email = textOf(payload, issuer.claims.email)
  if (subject.length > subjectLengthMax) refuse('token_invalid')
  // A token of the built-in issuer without a session could never be ended.
  if (issuer.isBuiltIn && session === undefined) refuse('token_invalid')
  return {
    issuer: issuer.identityIssuer,
    subject,
    ...(session !== undefined && { session }),
    ...(session !== undefined && issuer.isBuiltIn && { ownSessionId: session }),
    ...(email !== undefined && email.length <= 254 && emailPattern.test(email) && { email }),
    emailTrusted: issuer.trustsEmail && payload[issuer.claims.emailVerified] === true,
    provisions: issuer.provisions,
  }
}

function textOf(payload: JWTPayload, claim: string | undefined): string | undefined {
  const value = claim === undefined ? undefined : payload[claim]
  return typeof value === 'string' && value !== '' ? value : undefined
}
