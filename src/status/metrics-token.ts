import { timingSafeEqual } from 'node:crypto'
import { readBearer } from '../identity/bearer.ts'
import { opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'

/**
 * Compares the bearer token with the one of the operator, because a program that reads metrics has no account. Without a configured token
 * it refuses every request. Problems: `token_missing`, `token_malformed`, `token_invalid`.
 */
export function createMetricsTokenCheck(token: Secret | undefined): (rawHeaders: readonly string[]) => void {
  // A comparison in constant time needs values of equal length, which hashes are.
  const expected = token && opaqueTokenHash(token.open())
  return (rawHeaders) => {
    const sent = opaqueTokenHash(readBearer(rawHeaders))
    if (!expected || !timingSafeEqual(sent, expected)) refuse('token_invalid')
  }
}
