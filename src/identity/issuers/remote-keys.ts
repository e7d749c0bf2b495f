import { errors, type JWTVerifyGetKey } from 'jose'
import { refuse } from '../../platform/problems.ts'
import { createRenewal, type RenewalOptions } from './key-renewal.ts'

/** `fresh`: as the issuer has them. `stale`: kept while the issuer cannot be asked. `unavailable`: nobody can be let in. */
export type KeyState = 'fresh' | 'stale' | 'unavailable'

export interface RemoteKeys {
  /** For `jwtVerify`. Problem: `issuer_unavailable`. An unknown key id is jose's `JWKSNoMatchingKey`. */
  readonly resolve: JWTVerifyGetKey
  /** Fetches the keys where there are none that are fresh. Never rejects. */
  warm(): Promise<void>
  state(): KeyState
  /** Gives up a fetch under way. */
  close(): Promise<void>
}

export interface RemoteKeysOptions extends Omit<RenewalOptions, 'deadlineMs'> {
  readonly limits?: Partial<KeyLimits>
}

export interface KeyLimits {
  /** After this the set is renewed in the background, a tenth sooner or later, so that nodes do not ask all at once. */
  readonly freshMs: number
  /** After this the set is no longer used: an issuer that withdrew a key must be believed in the end. */
  readonly usableMs: number
  /** At most one fetch in this time for key ids that nobody knows, and while an issuer that has failed is left alone. */
  readonly pauseMs: number
  /** Without a usable set the failure is repeated for this long, so that an outage costs one fetch a second, not one a request. */
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
 * The published keys of one issuer. An outage of the issuer is not an outage of Muster: the kept set serves for a day. When no
 * set can be had the answer is 503, never 401, because nobody can know whether a token is good.
 */
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  const { freshMs, usableMs, pauseMs, failedMs, deadlineMs } = { ...keyLimits, ...options.limits }
  const renewal = createRenewal({ ...options, deadlineMs })
  const isUsable = () => renewal.ageMs() <= usableMs
  const isFresh = () => renewal.ageMs() <= freshMs * renewal.jitter()

  function unavailable(waitMs: number): never {
    const retryAfterSeconds = Math.max(1, Math.ceil((waitMs - renewal.restedMs()) / 1_000))
    return refuse('issuer_unavailable', { retryAfterSeconds, cause: renewal.failure() })
  }

  /** The set that may be used now, renewed on the way where it is old. */
  async function usable(): Promise<JWTVerifyGetKey> {
    if (!isUsable()) {
      if (renewal.failure() && !renewal.isRunning() && renewal.restedMs() < failedMs) unavailable(failedMs)
      await renewal.renew().catch(() => unavailable(failedMs))
    } else if (!isFresh() && renewal.restedMs() >= pauseMs) void renewal.renew().catch(() => undefined)
    return renewal.current()?.resolve ?? unavailable(failedMs)
  }

  /** A key id that nobody knows: a new key, or one that was made up. While the issuer cannot be asked nobody can tell which. */
  async function renewed(unknown: errors.JWKSNoMatchingKey): Promise<JWTVerifyGetKey> {
    if (renewal.isRunning() || renewal.restedMs() >= pauseMs) await renewal.renew().catch(() => unavailable(pauseMs))
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
