import { timingSafeEqual } from 'node:crypto'
import { readBearer } from '../identity/authenticate.ts'
import { refuse } from '../platform/problems.ts'
import { opaqueTokenHash, type Secret } from '../platform/secret.ts'

/**
 * Compares the bearer token with the configured one: a program that reads metrics has no account. Rejects every request
 * if no token is configured.
 * Problems: `token_missing`, `token_malformed`, `token_invalid`.
 */
export function createMetricsTokenCheck(token: Secret | undefined): (rawHeaders: readonly string[]) => void {
  // Hashes have equal length, as the constant-time comparison requires.
  const expected = token && opaqueTokenHash(token.open())
  return (rawHeaders) => {
    const sent = opaqueTokenHash(readBearer(rawHeaders))
    if (!expected || !timingSafeEqual(sent, expected)) refuse('token_invalid')
  }
}
