import { timingSafeEqual } from 'node:crypto'
import { readCredentials } from '../identity/bearer.ts'
import { opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'

/**
 * Checks the one token that the operator set; without one every token is refused. A program that reads metrics has no account. Problems: `token_missing`, `token_malformed`, `token_invalid`.
 */
export function createMetricsTokenCheck(token: Secret | undefined): (rawHeaders: readonly string[]) => void {
  // Of one length whatever was sent, which comparing in constant time asks for.
  const expected = token && opaqueTokenHash(token.open())
  return (rawHeaders) => {
    const sent = opaqueTokenHash(readCredentials(rawHeaders))
    if (!expected || !timingSafeEqual(sent, expected)) refuse('token_invalid')
  }
}
