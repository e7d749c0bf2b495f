import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMost } from './cache-bounds.ts'
import type { Clock } from './clock.ts'
import { createBatches, type Database, type Rows, unnestOf } from './database/database.ts'
import { refuse } from './problems.ts'

/** Allows `quota` calls per key in `windowSeconds`. */
export interface LimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

/** State of a key after one call. */
export interface Consumed {
  readonly isOver: boolean
  readonly remaining: number
  /** Milliseconds until a key over its quota may call again. */
  readonly msBeforeNext: number
  /** Milliseconds until the whole quota is available again. */
  readonly msBeforeAll: number
}

/** The headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), in lower case. */
export type LimitHeaders = Readonly<Record<'ratelimit' | 'ratelimit-policy', string>>

/** Returns the headers of a counted call. Problem: `rate_limited`, with the same headers. */
export function enforce(
  name: string,
  { quota, windowSeconds }: LimitPolicy,
  { isOver, remaining, msBeforeNext, msBeforeAll }: Consumed,
): LimitHeaders {
  // Lists with one item (RFC 9651). Names and integers need no escaping.
  const headers = {
    'ratelimit-policy': `"${name}";q=${quota};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${secondsOf(msBeforeAll)}`,
  }
  return isOver ? refuse('rate_limited', { retryAfterSeconds: secondsOf(msBeforeNext), headers }) : headers
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}

/** Limits that each node counts for itself. */
export type NodeLimits = Readonly<Record<'reads' | 'writes' | 'new-accounts', NodeLimit>>

/** A limit that each node counts in its memory, synchronously. */
export interface NodeLimit {
  /** Counts one call of `key` and returns the headers. Problem: `rate_limited`. */
  take(key: string): LimitHeaders
}

/** The window of a key starts with its first call. */
interface Window {
  calls: number
  readonly endsAtMs: number
}

/** Maximum number of keys. A key that is evicted starts a new window. */
const keysMax = 200_000

export function createNodeLimit(name: string, policy: LimitPolicy, now: Clock): NodeLimit {
  const windows = new LRUCache<string, Window>(atMost(keysMax))

  function windowAt(key: string, nowMs: number): Window {
    const current = windows.get(key)
    if (current && nowMs < current.endsAtMs) return current
    const window = { calls: 0, endsAtMs: nowMs + policy.windowSeconds * 1_000 }
    windows.set(key, window)
    return window
  }

  return {
    take(key) {
      const nowMs = now()
      const window = windowAt(key, nowMs)
      window.calls += 1
      return enforce(name, policy, consumedOf(policy, window, nowMs))
    },
  }
}

function consumedOf({ quota }: LimitPolicy, { calls, endsAtMs }: Readonly<Window>, nowMs: number): Consumed {
  const leftMs = endsAtMs - nowMs
  return { isOver: calls > quota, remaining: Math.max(0, quota - calls), msBeforeNext: leftMs, msBeforeAll: leftMs }
}

/** Named limits, shared by all nodes. */
export interface RateLimits<Name extends string = string> {
  /** Counts one call of `key` (a caller or fingerprint) and returns the headers. Problem: `rate_limited`, with the same headers. */
  take(name: Name, key: string): Promise<LimitHeaders>
}

/** One call of a key. */
interface CountedCall {
  readonly key: string
  readonly windowMs: number
}

/** Maximum number of cached keys over their quota. Other keys need the database for each call. */
const exhaustedKeysMax = 10_000

/**
 * Counts in the table `rate_limit`, on the side connections, in one statement for concurrent calls. A key over its quota needs no
 * statement until its window ends. While the database does not answer, each node counts for itself: the limit becomes quota × nodes, and
 * no call fails. Attempts to prove a password or a code are counted in `sign_in_bucket` instead, see docs/decisions/passwords.md.
 * Windows use the clocks of the nodes. If clocks differ, windows end early or late by the difference.
 */
export function createRateLimits<Name extends string>(
  { side }: Pick<Database, 'side'>,
  policies: Readonly<Record<Name, LimitPolicy>>,
  now: Clock,
): RateLimits<Name> {
  const exhausted = new LRUCache<string, Readonly<Window>>(atMost(exhaustedKeysMax))
  const count = createBatches<CountedCall, Readonly<Window>>((calls) => countAll(side, calls, now()))
  const nodeLimits = new Map<string, NodeLimit>()
  for (const [name, policy] of Object.entries<LimitPolicy>(policies))
    nodeLimits.set(name, createNodeLimit(name, policy, now))

  async function windowOf(key: string, { quota, windowSeconds }: LimitPolicy): Promise<Readonly<Window>> {
    const cached = exhausted.get(key)
    if (cached && now() < cached.endsAtMs) return cached
    const window = await count({ key, windowMs: windowSeconds * 1_000 })
    if (window.calls >= quota) exhausted.set(key, { ...window, calls: quota + 1 })
    return window
  }

  return {
    async take(name, key) {
      // SHA-256: keys may be long and may contain personal data.
      const stored = `${name}:${createHash('sha256').update(key).digest('hex')}`
      const policy = policies[name]
      const window = await windowOf(stored, policy).catch(() => undefined)
      if (window) return enforce(name, policy, consumedOf(policy, window, now()))
      const counter = nodeLimits.get(name)
      if (!counter) throw new Error(`Unknown limit: ${name}.`)
      return counter.take(stored)
    },
  }
}

/** When the window of a key ends, in milliseconds since 1970: `windowMs` after its first call on any node. */
export async function endOfWindow({ side }: Pick<Database, 'side'>, call: CountedCall, now: Clock): Promise<number> {
  const nowMs = now()
  const [window] = await countAll(side, [call], nowMs)
  return window?.endsAtMs ?? nowMs
}

async function countAll(
  side: Database['side'],
  calls: readonly CountedCall[],
  nowMs: number,
): Promise<readonly Readonly<Window>[]> {
  const added = new Map<string, number>()
  const windows = new Map<string, number>()
  for (const { key, windowMs } of calls) {
    added.set(key, (added.get(key) ?? 0) + 1)
    windows.set(key, nowMs + windowMs)
  }
  // Sorted, so that two statements which lock the same rows never deadlock.
  const keys = [...added.keys()].sort()
  const counts = keys.map((key) => added.get(key))
  const ends = keys.map((key) => windows.get(key))
  const rows = await side.query<CountRow>(countStatement, [keys, counts, ends, nowMs])
  const counted = new Map(rows.map(({ key, points, expire }) => [key, { calls: points, endsAtMs: Number(expire) }]))
  // Each of several calls of one key gets its own count: the first of two gets one less than the second.
  return calls.map(({ key }) => {
    const { calls: all = 0, endsAtMs = nowMs } = counted.get(key) ?? {}
    const left = added.get(key) ?? 1
    added.set(key, left - 1)
    return { calls: all - left + 1, endsAtMs }
  })
}

interface CountRow {
  readonly key: string
  readonly points: number
  readonly expire: string
}

const countStatement = {
  name: 'rate_limit_count',
  text: `
insert into rate_limit as r (key, points, expire)
select * from ${unnestOf('text', 'int', 'bigint')}
on conflict (key) do update set
  points = case when r.expire <= $4 then excluded.points else r.points + excluded.points end,
  expire = case when r.expire <= $4 then excluded.expire else r.expire end
returning key, points, expire`,
}

/** Deletes windows that ended more than a day ago, because clocks of nodes may differ. Part of the maintenance job. */
export async function deleteOldCounts(rows: Rows): Promise<void> {
  await rows.query(oldStatement, [])
}

const oldStatement = {
  name: 'rate_limit_old',
  text: `
delete from rate_limit where key in (
  select key from rate_limit where expire < (extract(epoch from now()) - 86400) * 1000
  order by expire limit 50000 for update skip locked)`,
}
