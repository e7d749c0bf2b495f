import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { createNodeCounter, type NodeCounter } from './node-counter.ts'
import { type Consumed, enforce, type LimitHeaders, type LimitPolicy } from './policy.ts'
import { createSharedCounter } from './shared-counter.ts'

/** Limits by name, counted over all nodes. */
export interface RateLimits<Name extends string = string> {
  /**
   * Counts one call of `key` (a caller, a network, a fingerprint) and answers the headers that tell what is left.
   * Problem: `rate_limited`, with the same headers.
   */
  take(name: Name, key: string): Promise<LimitHeaders>
  /**
   * Counts one call of a key and of a wider one that contains it, by one statement, and answers the headers of the first. A key that is known
   * to have used up its quota does not count for the wider one. Problem: `rate_limited`.
   */
  takeBoth(narrow: LimitKey<Name>, wide: LimitKey<Name>): Promise<LimitHeaders>
}

export interface LimitKey<Name extends string> {
  readonly name: Name
  readonly key: string
}

/**
 * Counts in the database, on a connection apart from the pool: several limits of one request by one statement. While the database does not
 * answer, each node counts for itself: the bound is then quota × nodes, never none, and never a failure.
 * Windows follow the clocks of the nodes: nodes whose clocks differ end each other's windows early or late by as much.
 */
export function createRateLimits<Name extends string>(
  database: Pick<Database, 'side'>,
  policies: Readonly<Record<Name, LimitPolicy>>,
  now: Clock,
): RateLimits<Name> {
  const shared = createSharedCounter(database, now)
  const ownNode = new Map<string, NodeCounter>()
  for (const [name, policy] of Object.entries<LimitPolicy>(policies)) ownNode.set(name, createNodeCounter(policy, now))

  async function consume(name: Name, key: string): Promise<Consumed> {
    const { quota, windowSeconds } = policies[name]
    const stored = keyOf(name, key)
    try {
      const { calls, endsAtMs } = await shared.count({ key: stored, quota, windowMs: windowSeconds * 1_000 })
      return { isOver: calls > quota, remaining: Math.max(0, quota - calls), msBeforeNext: endsAtMs - now() }
    } catch {
      const counter = ownNode.get(name)
      if (!counter) throw new Error(`There is no limit ${name}.`)
      return counter.consume(stored)
    }
  }

  return {
    async take(name, key) {
      return enforce(name, policies[name], await consume(name, key))
    },
    async takeBoth(narrow, wide) {
      if (shared.isUsedUp(keyOf(narrow.name, narrow.key)))
        return enforce(narrow.name, policies[narrow.name], await consume(narrow.name, narrow.key))
      const [first, second] = await Promise.all([consume(narrow.name, narrow.key), consume(wide.name, wide.key)])
      const headers = enforce(narrow.name, policies[narrow.name], first)
      enforce(wide.name, policies[wide.name], second)
      return headers
    },
  }
}

/** The key is stored as its SHA-256: it may be long, and it may name a person. */
function keyOf(name: string, key: string): string {
  return `${name}:${createHash('sha256').update(key).digest('hex')}`
}

/** The limits of this node alone, by what is counted. */
export type NodeLimits = Readonly<Record<'reads' | 'writes' | 'new-accounts', NodeLimit>>

/** One limit of this node alone, counted at once. */
export interface NodeLimit {
  /** Problem: `rate_limited`. */
  take(key: string): LimitHeaders
}

export function createNodeLimit(name: string, policy: LimitPolicy, now: Clock): NodeLimit {
  const counter = createNodeCounter(policy, now)
  return { take: (key) => enforce(name, policy, counter.consume(key)) }
}
