import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from '../platform/cache-bounds.ts'
import type { Clock } from '../platform/clock.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { type Issuer, verifyToken } from './issuers/verify-token.ts'
import { serviceKeyHash, serviceKeyPrefix } from './service-key.ts'

/** A well-formed service key. Whether it exists and what it may do is read from the database on every request. */
export interface PresentedServiceKey {
  readonly kind: 'service-key'
  readonly hash: Buffer
}

/**
 * Returns the caller of a request, synchronously for service keys and for tokens verified within the last minute.
 * Problems: all `token_…` codes and `issuer_unavailable`.
 */
export type Authenticate = (rawHeaders: readonly string[]) => UserCaller | PresentedServiceKey | Promise<UserCaller>

/**
 * Verifying a token costs as much as the query that follows. At about 400 bytes an entry, the cache takes at most 40
 * MB.
 */
const verifiedTokensMax = 100_000
/** How long cached tokens stay accepted after their verification key is withdrawn. */
const verifiedTokenMaxMs = 60_000

/** The cache key is the SHA-256 of a token, never the token itself. */
export function createAuthenticate(issuers: ReadonlyMap<string, Issuer>, now: Clock): Authenticate {
  const verified = new LRUCache<string, { readonly caller: UserCaller; readonly goodUntilMs: number }>(
    atMost(verifiedTokensMax),
  )

  async function verify(token: string, key: string): Promise<UserCaller> {
    if (!isCompactForm(token)) refuse('token_malformed')
    const { caller, expiresAtMs } = await verifyToken(token, issuers, now)
    verified.set(key, { caller, goodUntilMs: Math.min(expiresAtMs, now() + verifiedTokenMaxMs) })
    return caller
  }

  return (rawHeaders) => {
    const token = readBearer(rawHeaders)
    if (token.startsWith(serviceKeyPrefix))
      return { kind: 'service-key', hash: serviceKeyHash(token) ?? refuse('token_malformed') }
    const key = hash('sha256', token, 'binary')
    const known = verified.peek(key) // peek, not get: entries expire after a minute, however often they are used
    return known && now() < known.goodUntilMs ? known.caller : verify(token, key)
  }
}

/**
 * Returns the token of `Authorization: Bearer …` (RFC 6750 §2.1). Reads the raw header lines, because Node silently
 * drops a second `Authorization` header, which must be rejected.
 * Problems: `token_missing`, `token_malformed`.
 */
export function readBearer(rawHeaders: readonly string[]): string {
  const line = authorizationLine(rawHeaders)
  if (line === undefined) return refuse('token_missing')
  // RFC 9110 §11.1: the name of the scheme is case-insensitive.
  const end = line.includes(' ') ? line.indexOf(' ') : line.length
  if (line.slice(0, end).toLowerCase() !== 'bearer') return refuse('token_missing')
  const token = line.slice(end + 1)
  return token === '' || token.includes(' ') ? refuse('token_malformed') : token
}

/**
 * RFC 8725bis §3.14: only the compact form of a signed token (RFC 7515 §7.1), which has three parts. Encrypted tokens
 * have five.
 */
export function isCompactForm(token: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.test(token)
}

function authorizationLine(rawHeaders: readonly string[]): string | undefined {
  let line: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 13 || name.toLowerCase() !== 'authorization') continue
    if (line !== undefined) return refuse('token_malformed', { detail: 'The header Authorization was sent twice.' })
    line = rawHeaders[index + 1]
  }
  return line
}
