import { refuse } from '../problems.ts'

/** So many calls of one key in a window that begins with the first of them. */
export interface LimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

/** What one call of a key has used. */
export interface Consumed {
  readonly isOver: boolean
  readonly remaining: number
  readonly msBeforeNext: number
}

/** The headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), in lower case. */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>

/** The headers for a call that was counted. Problem: `rate_limited`, with the same headers. */
export function enforce(
  name: string,
  policy: LimitPolicy,
  { isOver, remaining, msBeforeNext }: Consumed,
): LimitHeaders {
  const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1_000))
  // Both are lists of RFC 9651 with one item: a name and integers, which need no escaping.
  const headers = {
    'ratelimit-policy': `"${name}";q=${policy.quota};w=${policy.windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${secondsLeft}`,
  }
  return isOver ? refuse('rate_limited', { retryAfterSeconds: secondsLeft, headers }) : headers
}
