import { errors, type JWTVerifyGetKey } from 'jose'
import { refuse } from '../../platform/problems.ts'
import { createRenewal, type RenewalOptions } from './key-renewal.ts'

/**
 * `fresh`: current. `stale`: the issuer is unreachable, and its last keys are still used. `unavailable`: its tokens
 * cannot be verified.
 */
export type KeyState = 'fresh' | 'stale' | 'unavailable'

export interface RemoteKeys {
  /**
   * Key resolver for `jwtVerify`. Problem: `issuer_unavailable`. Throws jose's `JWKSNoMatchingKey` for an unknown key
   * id.
   */
  readonly resolve: JWTVerifyGetKey
  /**
   * The result tells whether the keys were renewed since this call. It may fetch them, at most once within `pauseMs`.
   * Never rejects.
   */
  watch(): () => Promise<boolean>
  /** Fetches the keys unless they are fresh. Never rejects. */
  warm(): Promise<void>
  state(): KeyState
  /** Aborts a running fetch. */
  close(): Promise<void>
}

interface RemoteKeysOptions extends Omit<RenewalOptions, 'deadlineMs'> {
  readonly limits?: Partial<KeyLimits>
}

interface KeyLimits {
  /**
   * Age at which the set is renewed in the background. Varies by up to 10 %, so that nodes do not renew at the same
   * time.
   */
  readonly freshMs: number
  /** Age at which the set is discarded: a withdrawn key must stop verifying. */
  readonly usableMs: number
  /** Minimum time between fetches for unknown key ids, and between attempts while the issuer fails. */
  readonly pauseMs: number
  /**
   * Without a usable set, requests fail for this long without a fetch, so that an outage costs one fetch per second and
   * not one per request.
   */
  readonly failedMs: number
  readonly deadlineMs: number
}

export const keyLimits: KeyLimits = {
  freshMs: 600_000,
  usableMs: 86_400_000,
  pauseMs: 30_000,
  failedMs: 1_000,
  deadlineMs: 3_000,
}

/**
 * The published keys of one issuer. While the issuer is down, its last set is used for up to a day. Without a usable
 * set the response is 503, never 401, because the token may be valid.
 */
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  const { freshMs, usableMs, pauseMs, failedMs, deadlineMs } = { ...keyLimits, ...options.limits }
  const renewal = createRenewal({ ...options, deadlineMs })
  const isUsable = () => renewal.ageMs() <= usableMs
  const isFresh = () => renewal.ageMs() <= freshMs * renewal.jitter()

  function unavailable(waitMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((waitMs - renewal.sinceAttemptMs()) / 1_000))
    return refuse('issuer_unavailable', { retryAfterSeconds, cause: renewal.failure() })
  }

  /** The current set, renewed first if it is too old. */
  async function usable(): Promise<JWTVerifyGetKey> {
    if (!isUsable()) {
      if (renewal.failure() && !renewal.isRunning() && renewal.sinceAttemptMs() < failedMs) unavailable(failedMs)
      await renewal.renew().catch(() => unavailable(failedMs))
    } else if (!isFresh() && renewal.sinceAttemptMs() >= pauseMs) void renewal.renew().catch(() => undefined)
    return renewal.current()?.resolve ?? unavailable(failedMs)
  }

  /**
   * Handles an unknown key id, which may be a new or an invented key. While the issuer is unreachable, it could be
   * either.
   */
  async function renewed(unknown: errors.JWKSNoMatchingKey): Promise<JWTVerifyGetKey> {
    if (renewal.isRunning() || renewal.sinceAttemptMs() >= pauseMs)
      await renewal.renew().catch(() => unavailable(pauseMs))
    else if (renewal.failure()) unavailable(pauseMs)
    else throw unknown
    return renewal.current()?.resolve ?? unavailable(pauseMs)
  }

  return {
    async resolve(header, token) {
      const resolve = await usable()
      try {
        return await resolve(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return (await renewed(error))(header, token)
      }
    },
    watch() {
      const before = renewal.current()
      return async () => {
        if (renewal.current() === before && (renewal.isRunning() || renewal.sinceAttemptMs() >= pauseMs))
          await renewal.renew().catch(() => undefined)
        return renewal.current() !== before
      }
    },
    async warm() {
      if (!isFresh()) await renewal.renew().catch(() => undefined)
    },
    state() {
      if (!isUsable()) return 'unavailable'
      return renewal.failure() ? 'stale' : 'fresh'
    },
    close: () => renewal.close(),
  }
}
