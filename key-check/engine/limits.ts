/** Connections to one provider at once. */
export const connectionsMax = 128

/** Every limit of a check, with its default. Times in the unit of the name's end. */
export const defaultLimits = {
  /** One check, all its calls, waiting included. undici's timeouts are per phase and a drip passes them all. */
  deadlineMs: 5_000,
  connectTimeoutMs: 2_000,
  headersTimeoutMs: 3_000,
  bodyTimeoutMs: 3_000,
  /** Calls open to one provider. At 50 ms an answer, 128 allow at most 128 / 0.05 = 2,560 calls a second. */
  connectionsMax,
  /** No call begins on a connection that is older. Networks forget idle connections after some minutes, without a word to their ends. */
  connectionAgeMs: 60_000,
  /** No answer that proves something is longer than a few kilobytes. */
  answerBytesMax: 65_536,
  headerBytesMax: 16_384,
  /**
   * Checks of one provider at once, and the length of the queue behind them; past that a check is refused at once. Twice the
   * connections, so that the next call is ready when a connection becomes free.
   */
  checksAtOnceMax: 256,
  checksWaitingMax: 1_000,
  /** A valid key may be revoked at any time; an invalid one may have just been repaired. */
  cacheValidMs: 60_000,
  cacheInvalidMs: 10_000,
  cacheEntriesMax: 10_000,
  /** The breaker opens at this share of failures among at least so many calls in the window, for so long. */
  breakerFailureRatio: 0.5,
  breakerCallsMin: 20,
  breakerWindowMs: 10_000,
  breakerOpenMs: 10_000,
  /** The longest cool-down: five minutes is the longest that Cloudflare names. */
  retryAfterSecondsMax: 300,
  /** A valid credential that ends within this time is reported as about to expire. */
  endingMs: 7 * 24 * 3_600_000,
}

export type Limits = typeof defaultLimits & {
  /** Calls a second to one provider, 0 for no bound. Default: what the provider file says, or 50. */
  callsPerSecondMax?: number
  /** Failed authentications within the window after which a provider locks an address out. Default: what the provider file says. */
  lockOutFailures?: number
  lockOutWindowMs?: number
}
