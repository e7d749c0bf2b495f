import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { createBatches, itemsOf } from '../database/batches.ts'
import type { Database, Rows } from '../database/database.ts'

/** One call of a key. The window starts with the first call. */
interface CountedCall {
  readonly key: string
  readonly quota: number
  readonly windowMs: number
}

interface CallCount {
  /** Calls of the key in this window, including this one. */
  readonly calls: number
  /** End of the window, in milliseconds since 1970. */
  readonly endsAtMs: number
}

export interface SharedCounter {
  count(call: CountedCall): Promise<CallCount>
  /** Whether this node knows that the key is over its quota. */
  isExhausted(key: string): boolean
}

/** Maximum number of cached keys over their quota. Other keys need the database for each call. */
const exhaustedKeysMax = 10_000

/**
 * Counts calls of all nodes in the table `rate_limit`, in one statement for concurrent calls. A key over its quota needs no statement
 * until its window ends.
 */
export function createSharedCounter({ side }: Pick<Database, 'side'>, now: Clock): SharedCounter {
  const exhausted = new LRUCache<string, CallCount>({ max: exhaustedKeysMax })
  const countInBatches = createBatches<CountedCall, CallCount>((calls) => countAll(side, calls, now()))

  function cachedNow(key: string): CallCount | undefined {
    const cached = exhausted.get(key)
    return cached && now() < cached.endsAtMs ? cached : undefined
  }

  return {
    isExhausted: (key) => cachedNow(key) !== undefined,
    async count(call) {
      const cached = cachedNow(call.key)
      if (cached) return cached
      const counted = await countInBatches(call)
      if (counted.calls >= call.quota) exhausted.set(call.key, { ...counted, calls: call.quota + 1 })
      return counted
    },
  }
}

async function countAll(
  side: Database['side'],
  calls: readonly CountedCall[],
  nowMs: number,
): Promise<readonly CallCount[]> {
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
select * from ${itemsOf('text', 'int', 'bigint')}
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
