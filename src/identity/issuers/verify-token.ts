import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Clock } from '../../platform/clock.ts'
import { emailFault, withAsciiDomain } from '../../platform/email.ts'
import type { Aal, UserCaller } from '../../platform/http/caller.ts'
import { displayNameFault, normalizeDisplayName, uuidPattern } from '../../platform/http/formats.ts'
import { Problem, refuse } from '../../platform/problems.ts'
import type { NodeLimit } from '../../platform/rate-limits.ts'
import type { ClaimNames, Receiver, StepUpClaims } from './entries.ts'

/**
 * An issuer whose access tokens are accepted. All rules come from the configuration, none from a token or a key set.
 */
export type Issuer = Receiver & {
  /** Compared exactly, character by character (RFC 9068 §4). */
  readonly issuer: string
  /** Its name in the table `identity`. Equals `issuer`, except for the built-in issuer, whose URL may change. */
  readonly identityIssuer: string
  readonly keys: JWTVerifyGetKey
  readonly algorithms: readonly string[]
  readonly typ?: string
  /** Claims with their required value: `{ token_use: 'access' }`. */
  readonly exactly?: Readonly<Record<string, string | boolean>>
  /** Claims with a rejected value: `{ is_anonymous: true }`. */
  readonly never?: Readonly<Record<string, string | boolean>>
  /** Claims that must be present, because only access tokens of this issuer have them. */
  readonly present?: readonly string[]
  readonly claims: ClaimNames
  /** Absent if the tokens do not show the level: sessions then have level 1 and no age. */
  readonly stepUp?: StepUpClaims
  readonly lifetimeMaxSeconds: number
  readonly clockToleranceSeconds?: number
  /** Overrides `clockToleranceSeconds` for `iat`. Does not extend the lifetime of a token. */
  readonly futureToleranceSeconds?: number
  /**
   * Called before verifying. Its result is called if a known key does not verify the signature, and tells whether the
   * keys have changed since: an issuer may reuse a key id. It may fetch the keys, at a limited rate, because anyone can
   * send a wrong signature.
   */
  readonly watchKeys?: () => () => Promise<boolean>
  readonly isBuiltIn: boolean
  readonly trustsEmail: boolean
  /** Whether two subjects with the same verified email share an account. */
  readonly joinSubjects?: boolean
  readonly provisions: boolean
  readonly newAccounts?: Pick<NodeLimit, 'take'>
  /** Whether the claims of an ID token, such as `nonce` and `at_hash`, reject a token. */
  readonly refusesIdTokens: boolean
}

/** The caller of a valid token, and when the token expires (milliseconds since 1970). */
export interface Verified {
  readonly caller: UserCaller
  readonly expiresAtMs: number
}

/** Default tolerance between the clocks of issuer and service. */
const clockToleranceSeconds = 5

/** OpenID Connect Core §2: a subject has at most 255 characters. */
const nameLengthMax = 255

/**
 * Verifies an access token against the issuer that it names. An unknown issuer causes no network request.
 * Problems: `token_expired`, `token_invalid`, and `issuer_unavailable` if its keys are unavailable.
 */
export async function verifyToken(token: string, issuers: ReadonlyMap<string, Issuer>, now: Clock): Promise<Verified> {
  try {
    if (!isCanonical(token)) refuse('token_invalid')
    const claimed = decodeJwt(token).iss // unverified: it only selects an entry
    const issuer = (typeof claimed === 'string' && issuers.get(claimed)) || refuse('token_invalid')
    const payload = await payloadOf(token, issuer, now)
    checkTimes(payload, issuer, now)
    checkReceiver(payload, issuer)
    checkKind(payload, issuer)
    return { caller: callerOf(payload, issuer, now), expiresAtMs: Number(payload.exp) * 1_000 }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof errors.JWTExpired) return refuse('token_expired', { cause: error })
    // jose may throw a plain TypeError for a forged token, so that must not become an internal error.
    return refuse('token_invalid', { cause: error })
  }
}

/** The payload of a token, after checking the signature and the registered claims. */
async function payloadOf(token: string, issuer: Issuer, now: Clock): Promise<JWTPayload> {
  const areKeysRenewed = issuer.watchKeys?.()
  const verify = () =>
    jwtVerify(token, issuer.keys, {
      issuer: issuer.issuer,
      algorithms: [...issuer.algorithms],
      requiredClaims: ['exp', issuer.claims.subject],
      clockTolerance: issuer.clockToleranceSeconds ?? clockToleranceSeconds,
      currentDate: new Date(now()),
      ...(issuer.audience && { audience: [...issuer.audience] }),
      ...(issuer.typ !== undefined && { typ: issuer.typ }),
    })
  try {
    return payloadOfAccessToken(await verify(), issuer)
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
    if (!(await areKeysRenewed?.())) throw error
    return payloadOfAccessToken(await verify(), issuer)
  }
}

/**
 * RFC 8725bis §3.11: rejects a `typ` of another kind of token, even if the entry does not require a type. Many issuers
 * write `JWT` or nothing. RFC 7515 §4.1.9: case-insensitive, and the prefix `application/` is optional.
 */
function payloadOfAccessToken({ payload, protectedHeader: { typ } }: JWTVerifyResult, issuer: Issuer): JWTPayload {
  const kind = typ?.toLowerCase().replace(/^application\//, '')
  if (issuer.typ === undefined && kind?.endsWith('+jwt') && kind !== 'at+jwt') refuse('token_invalid')
  return payload
}

/**
 * Decoding base64url ignores some bits of the last character. Without this check one signature would have several
 * spellings.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** `jwtVerify` accepts an `iat` in the future and an `exp` a thousand years ahead. */
function checkTimes(payload: JWTPayload, issuer: Issuer, now: Clock): void {
  const toleranceSeconds = issuer.futureToleranceSeconds ?? issuer.clockToleranceSeconds ?? clockToleranceSeconds
  const latestSeconds = now() / 1_000 + toleranceSeconds
  if (payload.iat !== undefined && !(payload.iat >= 0 && payload.iat <= latestSeconds)) refuse('token_invalid')
  if (Number(payload.exp) > latestSeconds + issuer.lifetimeMaxSeconds) refuse('token_invalid')
}

function checkReceiver(payload: JWTPayload, { party }: Issuer): void {
  if (!party) return
  const named = payload[party.claim]
  if (typeof named !== 'string' || !party.oneOf.includes(named)) refuse('token_invalid')
}

/** Accepts access tokens, but no ID, refresh, logout or security event tokens of the same issuer (RFC 8725 §3.12). */
function checkKind(payload: JWTPayload, { exactly = {}, never = {}, present = [], refusesIdTokens }: Issuer): void {
  for (const [claim, value] of Object.entries(exactly)) if (payload[claim] !== value) refuse('token_invalid')
  for (const [claim, value] of Object.entries(never)) if (payload[claim] === value) refuse('token_invalid')
  for (const claim of present) if (!payload[claim]) refuse('token_invalid')
  // RFC 8417 §2.2 and OpenID Connect Back-Channel Logout §2.4: an access token has no `events`.
  if (payload.events !== undefined) refuse('token_invalid')
  if (refusesIdTokens && idTokenClaims.some((claim) => payload[claim] !== undefined)) refuse('token_invalid')
}

/** OpenID Connect Core §2 and §3.3.2.11. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 's_hash']

function callerOf(payload: JWTPayload, issuer: Issuer, now: Clock): UserCaller {
  const { claims, isBuiltIn } = issuer
  const subject = nameOf(payload[claims.subject]) ?? refuse('token_invalid')
  const session = sessionOf(payload, issuer)
  const { [claims.email]: email, [claims.name]: name } = payload
  // A token of the built-in issuer without a session could not be revoked.
  if (isBuiltIn && session === undefined) refuse('token_invalid')
  return {
    kind: 'user',
    key: JSON.stringify([issuer.identityIssuer, subject]),
    issuer: issuer.identityIssuer,
    subject,
    ...(session === undefined ? { tokenExpiresAtMs: Number(payload.exp) * 1_000 } : { session }),
    ...(session !== undefined && isBuiltIn && { ownSessionId: session }),
    ...(payload.iat !== undefined && { issuedAtMs: payload.iat * 1_000 }),
    ...organizationOf(payload, claims),
    ...(issuer.stepUp && levelOf(payload, issuer.stepUp, now)),
    ...(typeof email === 'string' && emailFault(email) === undefined && { email: withAsciiDomain(email) }),
    ...(issuer.trustsEmail && isDisplayName(name) && { displayName: normalizeDisplayName(name) }),
    emailTrusted: issuer.trustsEmail && payload[claims.emailVerified] === true,
    ...(issuer.joinSubjects && { joinSubjects: true }),
    provisions: issuer.provisions,
    ...(issuer.newAccounts && { newAccounts: issuer.newAccounts }),
  }
}

function isDisplayName(claim: unknown): claim is string {
  return typeof claim === 'string' && displayNameFault(claim) === undefined
}

/** Any other value, such as the issuer's own ID of an organization, names none. */
function organizationOf(payload: JWTPayload, { organization }: ClaimNames): Pick<UserCaller, 'organizationId'> {
  const value = organization === undefined ? undefined : payload[organization]
  return typeof value === 'string' && uuidPattern.test(value) ? { organizationId: value } : {}
}

/** A missing or future `authTime` counts as long ago, because the entry promises the claim. */
function levelOf(
  payload: JWTPayload,
  { acr, acrClaim, amr, authTime }: StepUpClaims,
  now: Clock,
): { readonly aal: Aal; readonly authenticatedAtMs?: number } {
  const isStrong = acr.includes(String(payload[acrClaim])) || methodsOf(payload.amr).some((one) => amr.includes(one))
  const at = authTime === undefined ? undefined : payload[authTime]
  const isTime = typeof at === 'number' && at >= 0 && at * 1_000 <= now() + authTimeToleranceMs
  return { aal: isStrong ? 2 : 1, ...(authTime !== undefined && { authenticatedAtMs: isTime ? at * 1_000 : 0 }) }
}

/** RFC 8176: a list of names. Supabase Auth sends objects with the name in `method`. */
function methodsOf(amr: unknown): readonly string[] {
  if (!Array.isArray(amr)) return []
  return amr
    .map((one: unknown) => (typeof one === 'object' && one !== null && 'method' in one ? one.method : one))
    .map(String)
}

/** Tolerance between the issuer's clock and ours. */
const authTimeToleranceMs = 60_000

/** OpenID Connect Core §2: `auth_time`, the second of the sign-in, identifies a session if no other claim does. */
function sessionOf(payload: JWTPayload, { claims, isBuiltIn }: Issuer): string | undefined {
  const session = claims.session === undefined ? undefined : nameOf(payload[claims.session])
  if (session !== undefined || isBuiltIn) return session
  const signedInAt = payload.auth_time
  return Number.isSafeInteger(signedInAt) ? `auth_time:${signedInAt}` : undefined
}

/** Accepts only text that the database stores unchanged. PostgreSQL rejects NUL and would merge lone surrogates. */
function nameOf(value: unknown): string | undefined {
  const isName =
    typeof value === 'string' && value !== '' && value.length <= nameLengthMax && !/[\p{Cc}\p{Cs}]/u.test(value)
  return isName ? value : undefined
}
