import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { readBearer } from './bearer.ts'
import type { Caller } from './caller.ts'
import { type Issuer, verifyToken } from './issuers/verify-token.ts'

export interface Gate {
  /** The caller, from the header lines of a request. Problems: every `token_…` one and `issuer_unavailable`. */
  authenticate(rawHeaders: readonly string[]): Promise<Caller>
}

/** Verifying costs as much as the query behind it; at about 400 bytes each, the kept ones take at most 40 MB. */
const verifiedTokensMax = 100_000
/** How long a verification key that was withdrawn may still let known tokens in. */
const verifiedTokenMaxMs = 60_000

/** Lets in whoever has a token that verifies. Verified tokens are kept under the SHA-256 of their exact text, never in clear. */
export function createGate(issuers: ReadonlyMap<string, Issuer>, now: Clock): Gate {
  // Counted by size, each of size one: with `max` all places would be made at the start.
  const verified = new LRUCache<string, { readonly caller: Caller; readonly goodUntilMs: number }>({
    maxSize: verifiedTokensMax,
    sizeCalculation: () => 1,
  })

  function find(key: string): Caller | undefined {
    const kept = verified.peek(key) // in order of age: an entry is good for a minute, however often it is used
    return kept && now() < kept.goodUntilMs ? kept.caller : undefined
  }

  return {
    async authenticate(rawHeaders) {
      const token = readBearer(rawHeaders)
      const key = hash('sha256', token, 'binary')
      const known = find(key)
      if (known) return known
      const { caller, expiresAtMs } = await verifyToken(token, issuers, now)
      verified.set(key, { caller, goodUntilMs: Math.min(expiresAtMs, now() + verifiedTokenMaxMs) })
      return caller
    },
  }
}
