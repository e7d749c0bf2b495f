import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import {
  createNodeLimit,
  createRateLimits,
  type NodeLimits,
  type RateLimits,
} from '../platform/rate-limit/rate-limits.ts'
import type { Opening } from './opening.ts'

/** Limits counted on each node. */
export function openNodeLimits({ limits }: Config, now: Clock): NodeLimits {
  const limit = (name: keyof NodeLimits, quota: number) => createNodeLimit(name, { quota, windowSeconds: 60 }, now)
  return {
    reads: limit('reads', limits.readsPerMinute),
    writes: limit('writes', limits.writesPerMinute),
    'new-accounts': limit('new-accounts', limits.newAccountsPerMinute),
  }
}

export type SharedLimits = RateLimits<'key-checks' | 'sign-ins' | 'wide-sign-ins' | 'device-sign-ins'>

/** Limits counted over all nodes. */
export function openLimits({ config: { limits }, database, now }: Opening): SharedLimits {
  const windowSeconds = 60
  const policies = {
    'key-checks': { quota: limits.keyChecksPerMinute, windowSeconds },
    'sign-ins': { quota: limits.signInsPerMinute, windowSeconds },
    // For a whole IPv6 /48 or IPv4 /24. One customer may own a whole /48.
    'wide-sign-ins': { quota: 4 * limits.signInsPerMinute, windowSeconds },
    // For one known device. No user types faster.
    'device-sign-ins': { quota: 10, windowSeconds },
  }
  return createRateLimits(database, policies, now)
}
