import { crc32 } from 'node:zlib'
import { instantMs, listAt, textAt, valueAt } from '../../engine/answers.ts'
import {
  type Caveat,
  type Classification,
  type CredentialTraits,
  type Facts,
  type Hint,
  invalid,
  type Outcome,
  type ProviderAnswer,
  type Undetermined,
  undetermined,
  valid,
} from '../../engine/provider.ts'

/** What Cloudflare's answers say: the state of a token, and the faults by code. */

export const userToken: Facts = { credential: 'user_token', label: 'API token' }
export const accountToken: Facts = { credential: 'account_token', label: 'account API token' }
const unknownToken: Facts = { credential: 'api_token', label: 'API token' }
export const globalKey: Facts = { credential: 'global_key', label: 'Global API Key' }

/** HTTP 200 with `success: true` and no `errors`. Two without the third contradict each other. */
export function succeeded({ status, body }: ProviderAnswer): boolean {
  const errors = valueAt(body, 'errors') ?? []
  return status === 200 && valueAt(body, 'success') === true && Array.isArray(errors) && errors.length === 0
}

/** The verdict of a verify endpoint that knows the token; undefined for any other answer. */
export function tokenState(answer: ProviderAnswer, kind: Facts): Outcome | undefined {
  if (!succeeded(answer)) return undefined
  const status = textAt(answer.body, 'result.status')
  const window = readWindow(answer.body)
  if (!status || !window) return undetermined('unexpected_answer')
  const facts = { ...kind, ...window.facts }
  if (status === 'disabled' || status === 'expired') return invalid(status, facts)
  if (status !== 'active') return invalid('not_active', { ...facts, status })
  // Cloudflare's sample says `active` for a token whose window has passed, so compare the window here.
  if (window.endsMs < answer.nowMs - CLOCK_SKEW_MS) return invalid('expired', facts)
  if (window.startsMs > answer.nowMs + CLOCK_SKEW_MS) return invalid('not_yet_valid', facts)
  return { ...valid(undefined, facts), ...(facts.expiresOn === undefined && { excess: 'no_expiry' }) }
}

/** Both documents agree that clocks have a tolerance, but not on its size; this is the smaller one. */
const CLOCK_SKEW_MS = 60_000

/** The validity window; undefined if a bound is not an instant. */
function readWindow(body: unknown): { startsMs: number; endsMs: number; facts: Facts } | undefined {
  const notBefore = valueAt(body, 'result.not_before') ?? undefined
  const expiresOn = valueAt(body, 'result.expires_on') ?? undefined
  const startsMs = notBefore === undefined ? Number.NEGATIVE_INFINITY : instantMs(notBefore)
  const endsMs = expiresOn === undefined ? Number.POSITIVE_INFINITY : instantMs(expiresOn)
  if (Number.isNaN(startsMs) || Number.isNaN(endsMs)) return undefined
  const facts = {
    ...(typeof notBefore === 'string' && { notBefore }),
    ...(typeof expiresOn === 'string' && { expiresOn }),
  }
  return { startsMs, endsMs, facts }
}

type Fault = { readonly code: number; readonly message: string }

/** What depends on the endpoint: code 1000 (`unknown`) and codes 10000 and 10001 (`refused`). */
interface ByEndpoint {
  unknown(): Classification
  refused(): Classification
}

/**
 * Classifies by code and, for the five meanings of 9109, by text; the HTTP status varies. Precedence: lockout and rate limit, then proof
 * that the credential is genuine, then a definite rejection, then 10000.
 */
export function classifyFaults(answer: ProviderAnswer, kind: Facts, byEndpoint: ByEndpoint): Classification {
  const faults = faultsIn(answer.body)
  const busy = busyFrom(faults)
  if (busy) return busy
  const has = (...codes: number[]) => faults.some(({ code }) => codes.includes(code))
  if (valueAt(answer.body, 'success') !== false) return undetermined('unexpected_answer')

  const caveat = proofOfGenuine(faults)
  if (caveat) return valid(caveat, kind)
  const no = definiteNo(answer, faults, kind)
  if (no) return no
  if (has(1000)) return byEndpoint.unknown()
  if (has(10000, 10001)) return byEndpoint.refused()
  return undetermined('unexpected_answer')
}

export function busyFrom(faults: readonly Fault[]): Undetermined | undefined {
  const has = (...codes: number[]) => faults.some(({ code }) => codes.includes(code))
  if (has(10502) || says(faults, 9109, 'max auth failures')) return undetermined('locked_out')
  if (has(971, 10429)) return undetermined('rate_limited')
  // The limit in the text is for a user or account (1,200 in 300 s). An address has another one (200 in 1 s).
  return has(10100) ? undetermined('key_rate_limited') : undefined
}

export function faultsIn(body: unknown): Fault[] {
  const errors = listAt(body, 'errors') ?? []
  return errors.flatMap((error) => [error, ...(listAt(error, 'error_chain') ?? [])]).flatMap(readFault)
}

function readFault(error: unknown): Fault[] {
  const code = valueAt(error, 'code')
  const number = typeof code === 'string' && /^\d{1,6}$/.test(code) ? Number(code) : code
  return typeof number === 'number' ? [{ code: number, message: textAt(error, 'message').toLowerCase() }] : []
}

function says(faults: readonly Fault[], code: number, start: string): boolean {
  return faults.some((fault) => fault.code === code && fault.message.startsWith(start))
}

/** Answers that only a genuine credential gets. */
export function proofOfGenuine(faults: readonly Fault[]): Caveat | undefined {
  if (says(faults, 9109, 'cannot use the access token from location')) return 'ip_filtered'
  if (says(faults, 9109, 'unauthorized to access')) return 'limited_permissions'
  if (faults.some(({ code, message }) => code === 0 && /^actor\b.*\brequires permission\b/.test(message)))
    return 'limited_permissions'
  if (says(faults, 9109, 'valid user-level authentication not found')) return 'state_not_shown'
  if (says(faults, 1001, 'list accounts endpoint does not support account owned tokens')) return 'state_not_shown'
  return undefined
}

function definiteNo(answer: ProviderAnswer, faults: readonly Fault[], kind: Facts): Outcome | undefined {
  const has = (wanted: number) => faults.some(({ code }) => code === wanted)
  const facts = { ...kind, ...hintFor(answer) }
  if (has(6102) && has(6103)) return invalid('malformed_pair', facts)
  if (has(6111) || has(6103)) return invalid('malformed', facts)
  if (has(6102)) return invalid('malformed_email', kind)
  if (has(9103)) return invalid('wrong_pair', kind)
  if (says(faults, 9109, 'invalid access token')) return invalid('not_recognised', facts)
  // An unknown text is a rejection only if both the status and the text say so.
  const isNo = faults.some(({ code, message }) => code === 9109 && /\b(?:invalid|unknown)\b/.test(message))
  return isNo && answer.status === 403 ? invalid('not_recognised', facts) : undefined
}

export function notRecognised(answer: ProviderAnswer): Outcome {
  return invalid('not_recognised', { ...kindOf(answer.shape), ...hintFor(answer) })
}

/** The name of a rejected value: only the prefixes of 2026 show the kind of a token. */
export function kindOf(shape: string): Facts {
  if (shape.startsWith('user_token')) return userToken
  return shape.startsWith('account_token') ? accountToken : unknownToken
}

/** What the value looks like, in one word. Tokens of 2026: prefix + 40 + CRC-32 of the 40 in hex. */
export function shapeOf(apiKey: string): string {
  const family = { cfut_: 'user_token', cfat_: 'account_token', cfk_: 'global_key' }
  for (const [prefix, shape] of Object.entries(family))
    if (apiKey.startsWith(prefix)) return hasChecksum(apiKey.slice(prefix.length)) ? shape : `${shape}_mistyped`
  if (/^cfoat_/.test(apiKey)) return 'oauth_token'
  if (/^v1\.0-/.test(apiKey)) return 'origin_ca_key'
  if (/^[0-9a-f]{32}$/.test(apiKey)) return 'id'
  // 40 hex digits may be an old token or an old key, so they prove nothing.
  if (/^[0-9a-f]{40}$/.test(apiKey)) return 'forty_hex'
  if (/^[0-9a-f]{37,45}$/.test(apiKey)) return 'old_global_key'
  if (/^[A-Za-z0-9_-]{40}$/.test(apiKey)) return 'old_token'
  if (/^[A-Za-z0-9_-]{38,42}$/.test(apiKey)) return 'old_token_mistyped'
  if (/^(?:cfut_|cfat_|[A-Za-z0-9_-]{40}$)/.test(Buffer.from(apiKey, 'base64').toString('latin1'))) return 'base64'
  return /["'`{}$<>]/.test(apiKey) ? 'quoted' : 'other'
}

function hasChecksum(rest: string): boolean {
  const [, body, checksum] = /^([A-Za-z0-9]{40})([0-9a-f]{8})$/.exec(rest) ?? []
  return body !== undefined && crc32(body).toString(16).padStart(8, '0') === checksum
}

export function hintFor({ keyType, shape }: CredentialTraits): { hint?: Hint } {
  const [asToken, asKey] = hints[shape] ?? []
  const hint = keyType === 'api_token' ? asToken : asKey
  return hint ? { hint } : {}
}

/** Hints by shape: for a value sent as a token, and for one sent as a key. */
const hints: Readonly<Record<string, readonly [asToken: Hint | undefined, asKey: Hint | undefined]>> = {
  id: ['looks_like_id', 'looks_like_id'],
  origin_ca_key: ['looks_like_origin_ca_key', 'looks_like_origin_ca_key'],
  oauth_token: ['looks_like_oauth_token', 'looks_like_oauth_token'],
  quoted: ['looks_quoted', 'looks_quoted'],
  global_key: ['looks_like_global_key', undefined],
  global_key_mistyped: ['looks_like_global_key', 'looks_mistyped'],
  old_global_key: ['looks_like_global_key', undefined],
  user_token: [undefined, 'looks_like_token'],
  user_token_mistyped: ['looks_mistyped', 'looks_like_token'],
  account_token: [undefined, 'looks_like_token'],
  account_token_mistyped: ['looks_mistyped', 'looks_like_token'],
  old_token: [undefined, 'looks_like_token'],
  old_token_mistyped: ['looks_mistyped', undefined],
  base64: ['looks_base64', 'looks_base64'],
}
