import { createHash } from 'node:crypto'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { createNodeCounter, type NodeCounter, type SharedCounts } from './node-counter.ts'
import { type Consumed, enforce, type LimitHeaders, type LimitPolicy } from './policy.ts'

/** Limits by name, counted over all nodes. */
export interface RateLimits<Name extends string = string> {
  /**
   * Counts one call of `key` (a caller, a network, a fingerprint) and answers the headers that tell what is left.
   * Problem: `rate_limited`, with the same headers.
   */
  take(name: Name, key: string): Promise<LimitHeaders>
}

/**
 * Counts in the database, by one statement on a connection apart from the pool. While the database does not answer, each node counts
 * for itself: the bound is then quota × nodes, never none, and never a failure.
 * Windows follow the clocks of the nodes: nodes whose clocks differ end each other's windows early or late by as much.
 */
export function createRateLimits<Name extends string>(
  database: Pick<Database, 'side'>,
  policies: Readonly<Record<Name, LimitPolicy>>,
  now: Clock,
): RateLimits<Name> {
  const counters = new Map<string, Counter>()
  for (const [name, policy] of Object.entries<LimitPolicy>(policies))
    counters.set(name, {
      shared: sharedCounter(database, name, policy),
      ownNode: createNodeCounter(policy, now),
    })

  return {
    async take(name, key) {
      const counter = counters.get(name)
      if (!counter) throw new Error(`There is no limit ${name}.`)
      return enforce(name, policies[name], await consume(counter, key))
    },
  }
}

/** The limits of this node alone, by what is counted. */
export type NodeLimits = Readonly<Record<'reads' | 'writes' | 'new-accounts', NodeLimit>>

/** One limit of this node alone, counted at once. */
export interface NodeLimit extends Pick<NodeCounter, 'add'> {
  /** Problem: `rate_limited`. */
  take(key: string): LimitHeaders
}

export function createNodeLimit(name: string, policy: LimitPolicy, now: Clock, shared?: SharedCounts): NodeLimit {
  const counter = createNodeCounter(policy, now, shared)
  return { add: counter.add, take: (key) => enforce(name, policy, counter.consume(key)) }
}

interface Counter {
  readonly shared: RateLimiterPostgres
  /** Counts while the database does not answer. */
  readonly ownNode: NodeCounter
}

function sharedCounter(
  database: Pick<Database, 'side'>,
  name: string,
  { quota, windowSeconds }: LimitPolicy,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    // Without the names that the library gives: behind a pooler in transaction mode they are on another connection.
    storeClient: {
      query: ({ text, values }: { text: string; values?: unknown[] }) => database.side.query(text, values),
    },
    storeType: 'client',
    keyPrefix: name,
    points: quota,
    duration: windowSeconds,
    tableName: 'rate_limit', // made by a migration: the library would make it without anything to catch its failure
    tableCreated: true,
    inMemoryBlockOnConsumed: quota, // a caller who is over is refused without a statement, until the window ends
  })
}

/** The key is stored as its SHA-256: it may be long, and it may name a person. */
async function consume({ shared, ownNode }: Counter, key: string): Promise<Consumed> {
  const digest = createHash('sha256').update(key).digest('hex')
  try {
    const { remainingPoints, msBeforeNext } = await shared.consume(digest)
    return { isOver: false, remaining: remainingPoints, msBeforeNext }
  } catch (error) {
    // The library rejects with a result, which is no error, where the quota is used up.
    if (error instanceof RateLimiterRes) return { isOver: true, remaining: 0, msBeforeNext: error.msBeforeNext }
    return ownNode.consume(digest)
  }
}
