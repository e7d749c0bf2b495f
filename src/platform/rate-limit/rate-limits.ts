import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { type List, serializeList } from 'structured-headers'
import type { Database } from '../database/database.ts'
import { refuse } from '../problems.ts'

/** So many calls in a window that begins with the first of them. */
export interface LimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
  /** `node`: counted by each node for itself. `all_nodes`: counted in the database. */
  readonly reach: 'node' | 'all_nodes'
}

/** The headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), in lower case. */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>

export interface Limits<Name extends string = string> {
  /**
   * Counts one call of `key` (a caller, a network, a fingerprint) and answers the headers that tell what is left.
   * Problem: `rate_limited`, with the same headers.
   */
  take(policy: Name, key: string): Promise<LimitHeaders>
}

/**
 * Limits by name. What is counted over all nodes takes one statement on a connection apart from the pool. While the database
 * cannot be asked each node counts for itself: then the bound is quota × nodes, never none, and never a failure.
 * Windows go by the clocks of the nodes: nodes whose clocks differ end each other's windows early or late by as much.
 */
export function createLimits<Name extends string>(
  database: Pick<Database, 'side'>,
  policies: Readonly<Record<Name, LimitPolicy>>,
): Limits<Name> {
  const counters = new Map<string, Counter>()
  for (const [name, policy] of Object.entries<LimitPolicy>(policies))
    counters.set(name, counterOf(database, name, policy))

  return {
    async take(name, key) {
      const counter = counters.get(name)
      if (!counter) throw new Error(`There is no limit ${name}.`)
      const { isOver, remaining, msBeforeNext } = await count(counter, key)
      const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1_000))
      const headers = headersOf(name, policies[name], remaining, secondsLeft)
      return isOver ? refuse('rate_limited', { retryAfterSeconds: secondsLeft, headers }) : headers
    },
  }
}

type Counter = RateLimiterMemory | RateLimiterPostgres

function counterOf(database: Pick<Database, 'side'>, name: string, policy: LimitPolicy): Counter {
  const { quota, windowSeconds, reach } = policy
  const memory = new RateLimiterMemory({ keyPrefix: name, points: quota, duration: windowSeconds })
  if (reach === 'node') return memory
  return new RateLimiterPostgres({
    // Without the names that the library gives: behind a pooler in transaction mode they are on another connection.
    storeClient: {
      query: ({ text, values }: { text: string; values?: unknown[] }) => database.side.query(text, values),
    },
    storeType: 'client',
    keyPrefix: name,
    points: quota,
    duration: windowSeconds,
    tableName: 'rate_limit', // made by a migration: the library would make it without anybody to catch its failure
    tableCreated: true,
    inMemoryBlockOnConsumed: quota, // who is over is refused without a statement, until the window ends
    insuranceLimiter: memory,
  })
}

interface Count {
  readonly isOver: boolean
  readonly remaining: number
  readonly msBeforeNext: number
}

/** The key is kept as its SHA-256: it may be long, and it may say who somebody is. */
async function count(counter: Counter, key: string): Promise<Count> {
  try {
    const { remainingPoints, msBeforeNext } = await counter.consume(createHash('sha256').update(key).digest('hex'))
    return { isOver: false, remaining: remainingPoints, msBeforeNext }
  } catch (error) {
    // The library rejects with a result, which is no error, where the quota is used up.
    if (error instanceof RateLimiterRes) return { isOver: true, remaining: 0, msBeforeNext: error.msBeforeNext }
    throw error
  }
}

function headersOf(name: string, policy: LimitPolicy, remaining: number, secondsLeft: number): LimitHeaders {
  const policyItem: List = [[name, new Map([['q', policy.quota] as const, ['w', policy.windowSeconds] as const])]]
  const stateItem: List = [[name, new Map([['r', remaining] as const, ['t', secondsLeft] as const])]]
  return { 'ratelimit-policy': serializeList(policyItem), ratelimit: serializeList(stateItem) }
}
