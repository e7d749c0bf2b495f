import { refuse } from '../problems.ts'

/** Allows `quota` calls per key in a window that starts with the first call. */
export interface LimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

/** State of a key's window after one call. */
export interface Consumed {
  readonly isOver: boolean
  readonly remaining: number
  readonly msBeforeNext: number
}

/** The headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), in lower case. */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>

/** Returns the headers of a counted call. Problem: `rate_limited`, with the same headers. */
export function enforce(
  name: string,
  policy: LimitPolicy,
  { isOver, remaining, msBeforeNext }: Consumed,
): LimitHeaders {
  const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1_000))
  // Lists with one item (RFC 9651). Names and integers need no escaping.
  const headers = {
    'ratelimit-policy': `"${name}";q=${policy.quota};w=${policy.windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${secondsLeft}`,
  }
  return isOver ? refuse('rate_limited', { retryAfterSeconds: secondsLeft, headers }) : headers
}
