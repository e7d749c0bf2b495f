import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { createNodeCounter, type NodeCounter } from './node-counter.ts'
import { type Consumed, enforce, type LimitHeaders, type LimitPolicy } from './policy.ts'
import { createSharedCounter } from './shared-counter.ts'

/** Named limits, shared by all nodes. */
export interface RateLimits<Name extends string = string> {
  /** Counts one call of `key` (a caller, network or fingerprint) and returns the headers. Problem: `rate_limited`, with the same headers. */
  take(name: Name, key: string): Promise<LimitHeaders>
  /**
   * Counts one call of a key and of a wider key that contains it, in one statement, and returns the headers of the first. A key over its
   * quota does not count for the wider key. Problem: `rate_limited`.
   */
  takeBoth(narrow: LimitKey<Name>, wide: LimitKey<Name>): Promise<LimitHeaders>
}

interface LimitKey<Name extends string> {
  readonly name: Name
  readonly key: string
}

/**
 * Counts in the database, on the side connections, in one statement for concurrent calls. While the database does not answer, each node
 * counts for itself: the limit becomes quota × nodes, and no call fails.
 * Windows use the clocks of the nodes. If clocks differ, windows end early or late by the difference.
 */
export function createRateLimits<Name extends string>(
  database: Pick<Database, 'side'>,
  policies: Readonly<Record<Name, LimitPolicy>>,
  now: Clock,
): RateLimits<Name> {
  const shared = createSharedCounter(database, now)
  const nodeCounters = new Map<string, NodeCounter>()
  for (const [name, policy] of Object.entries<LimitPolicy>(policies))
    nodeCounters.set(name, createNodeCounter(policy, now))

  async function consume(name: Name, stored: string): Promise<Consumed> {
    const { quota, windowSeconds } = policies[name]
    try {
      const { calls, endsAtMs } = await shared.count({ key: stored, quota, windowMs: windowSeconds * 1_000 })
      return { isOver: calls > quota, remaining: Math.max(0, quota - calls), msBeforeNext: endsAtMs - now() }
    } catch {
      const counter = nodeCounters.get(name)
      if (!counter) throw new Error(`Unknown limit: ${name}.`)
      return counter.consume(stored)
    }
  }

  async function takeStored(name: Name, stored: string): Promise<LimitHeaders> {
    return enforce(name, policies[name], await consume(name, stored))
  }

  return {
    take: async (name, key) => takeStored(name, keyOf(name, key)),
    async takeBoth(narrow, wide) {
      const stored = keyOf(narrow.name, narrow.key)
      if (shared.isExhausted(stored)) return takeStored(narrow.name, stored)
      const wideCall = consume(wide.name, keyOf(wide.name, wide.key))
      const headers = await takeStored(narrow.name, stored)
      enforce(wide.name, policies[wide.name], await wideCall)
      return headers
    },
  }
}

/** SHA-256: keys may be long and may contain personal data. */
function keyOf(name: string, key: string): string {
  return `${name}:${createHash('sha256').update(key).digest('hex')}`
}

/** Limits that each node counts for itself. */
export type NodeLimits = Readonly<Record<'reads' | 'writes' | 'new-accounts', NodeLimit>>

/** A limit that each node counts for itself, synchronously. */
export interface NodeLimit {
  /** Problem: `rate_limited`. */
  take(key: string): LimitHeaders
}

export function createNodeLimit(name: string, policy: LimitPolicy, now: Clock): NodeLimit {
  const counter = createNodeCounter(policy, now)
  return { take: (key) => enforce(name, policy, counter.consume(key)) }
}
