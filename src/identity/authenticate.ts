import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { isCompactForm, readBearer } from './bearer.ts'
import { type Issuer, verifyToken } from './issuers/verify-token.ts'
import { looksLikeServiceKey, serviceKeyHash } from './service-key.ts'

/** A service key as it was shown: well-formed. Whether there is such a key, and what it may do, is read on every call. */
export interface ShownServiceKey {
  readonly kind: 'service-key'
  readonly hash: Buffer
}

/**
 * The caller of a request, from its header lines: at once for a service key, and where the token was verified less than a minute ago.
 * Problems: every `token_…` one and `issuer_unavailable`.
 */
export type Authenticate = (rawHeaders: readonly string[]) => UserCaller | ShownServiceKey | Promise<UserCaller>

/** Verifying costs as much as the query behind it; at about 400 bytes each, the cached ones take at most 40 MB. */
const verifiedTokensMax = 100_000
/** How long a verification key that was withdrawn may still let known tokens in. */
const verifiedTokenMaxMs = 60_000

/** Verified tokens are cached under the SHA-256 of their exact text, never in clear. */
export function createAuthenticate(issuers: ReadonlyMap<string, Issuer>, now: Clock): Authenticate {
  // Counted by size, each of size one: with `max` all places would be made at the start.
  const verified = new LRUCache<string, { readonly caller: UserCaller; readonly goodUntilMs: number }>({
    maxSize: verifiedTokensMax,
    sizeCalculation: () => 1,
  })

  async function verify(token: string, key: string): Promise<UserCaller> {
    if (!isCompactForm(token)) refuse('token_malformed')
    const { caller, expiresAtMs } = await verifyToken(token, issuers, now)
    verified.set(key, { caller, goodUntilMs: Math.min(expiresAtMs, now() + verifiedTokenMaxMs) })
    return caller
  }

  return (rawHeaders) => {
    const token = readBearer(rawHeaders)
    if (looksLikeServiceKey(token))
      return { kind: 'service-key', hash: serviceKeyHash(token) ?? refuse('token_malformed') }
    const key = hash('sha256', token, 'binary')
    const known = verified.peek(key) // in order of age: an entry is good for a minute, however often it is used
    return known && now() < known.goodUntilMs ? known.caller : verify(token, key)
  }
}
