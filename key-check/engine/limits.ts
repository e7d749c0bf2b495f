import type { Limits as PublicLimits } from '../api.ts'

/** Maximum number of connections to one provider. */
export const connectionsMax = 128

/** All limits of a check, with their defaults. The end of a name is its unit. */
export const defaultLimits = {
  /** One check, including all calls and waiting. undici's timeouts are per phase, so a slow drip passes all of them. */
  deadlineMs: 5_000,
  /** The longest pause before the same call again. Most new keys are known by then, and the deadline leaves time for the reads. */
  pauseMsMax: 2_000,
  /** Time for the second call and the reads after a wait for another secret of the same ID. */
  rivalSecretMs: 2_000,
  /** Abilities are not read if less time is left. The verdict must not wait for a read that cannot end in time. */
  abilityReadMinMs: 500,
  connectTimeoutMs: 2_000,
  headersTimeoutMs: 3_000,
  bodyTimeoutMs: 3_000,
  /** Parallel calls to one provider. At 50 ms per answer, 128 allow at most 128 / 0.05 = 2,560 calls per second. */
  connectionsMax,
  /** No call starts on an older connection. Networks silently drop idle connections after a few minutes. */
  connectionAgeMs: 60_000,
  /** Answers that prove something are a few kilobytes at most. */
  answerBytesMax: 65_536,
  headerBytesMax: 16_384,
  /**
   * Parallel checks of one provider, and the length of the queue behind them. Checks beyond that are rejected. Twice the connections, so
   * that a call is ready when a connection becomes free.
   */
  checksAtOnceMax: 256,
  checksWaitingMax: 1_000,
  /** A valid key may be revoked at any time; an invalid one may have just been fixed. */
  cacheValidMs: 60_000,
  cacheInvalidMs: 10_000,
  /** For a rejected key that may be new. */
  cacheNewMs: 5_000,
  cacheEntriesMax: 10_000,
  /** The breaker opens if this share of at least `breakerCallsMin` calls in the window failed. */
  breakerFailureRatio: 0.5,
  breakerCallsMin: 20,
  breakerWindowMs: 10_000,
  breakerOpenMs: 10_000,
  /** The longest cool-down: Cloudflare documents up to five minutes. */
  retryAfterSecondsMax: 300,
  /** A valid credential that ends within this time gets an expiry warning. */
  endingMs: 7 * 24 * 3_600_000,
}

export type Limits = typeof defaultLimits & {
  /** Calls per second to one provider, 0 for no limit. Default: from the provider file, or 50. */
  callsPerSecondMax?: number
  /** Failed authentications within the window that lock an address out. Default: from the provider file. */
  lockOutFailures?: number
  lockOutWindowMs?: number
}

/** Throws a RangeError if a limit is unknown or out of range. */
export function readLimits(limits: Partial<PublicLimits>): Partial<PublicLimits> {
  for (const [name, value] of Object.entries(limits)) {
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined
    if (!range) throw new RangeError(`Unknown limit ${name}; the limits are ${Object.keys(ranges).join(', ')}.`)
    const [least, most] = range
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`The limit ${name} must be a whole number from ${least} to ${most}.`)
  }
  return limits
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  deadlineMs: [1, 600_000],
  checksAtOnceMax: [1, 100_000],
  checksWaitingMax: [0, 1_000_000],
  callsPerSecondMax: [0, 1_000_000],
  cacheValidMs: [0, 86_400_000],
  cacheInvalidMs: [0, 86_400_000],
  lockOutFailures: [1, 1_000_000],
  lockOutWindowMs: [1_000, 86_400_000],
} satisfies Record<keyof PublicLimits, readonly [number, number]>
