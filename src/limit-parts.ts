import type { Config } from './config.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { SharedCounts } from './platform/rate-limit/node-counter.ts'
import {
  createNodeLimit,
  createRateLimits,
  type NodeLimits,
  type RateLimits,
} from './platform/rate-limit/rate-limits.ts'

/** The limits of one node; workers share their counts. */
export function openNodeLimits(
  { limits }: Config,
  now: Clock,
  sharedCounts?: (limit: keyof NodeLimits) => SharedCounts,
): NodeLimits {
  const limit = (name: keyof NodeLimits, quota: number) =>
    createNodeLimit(name, { quota, windowSeconds: 60 }, now, sharedCounts?.(name))
  return {
    reads: limit('reads', limits.readsPerMinute),
    writes: limit('writes', limits.writesPerMinute),
    'new-accounts': limit('new-accounts', limits.newAccountsPerMinute),
  }
}

/** The limits that all nodes share. */
export function openLimits(
  { limits }: Config,
  database: Database,
  now: Clock,
): RateLimits<'key-checks' | 'sign-ins' | 'device-sign-ins'> {
  const windowSeconds = 60
  const policies = {
    'key-checks': { quota: limits.keyChecksPerMinute, windowSeconds },
    'sign-ins': { quota: limits.signInsPerMinute, windowSeconds },
    // Of one device that its account knows: people type no faster.
    'device-sign-ins': { quota: 10, windowSeconds },
  }
  return createRateLimits(database, policies, now)
}
