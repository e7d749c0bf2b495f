import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import { createBatches, itemsOf } from '../database/batches.ts'
import type { Database, Rows } from '../database/database.ts'

/** One call of a key, in a window that begins with the first of them. */
export interface CountedCall {
  readonly key: string
  readonly quota: number
  readonly windowMs: number
}

/** Calls of the key in this window, this one included; and when it ends, in milliseconds since 1970. */
export interface CallCount {
  readonly calls: number
  readonly endsAtMs: number
}

export interface SharedCounter {
  count(call: CountedCall): Promise<CallCount>
  /** Whether this node has seen the key use up its quota. */
  isUsedUp(key: string): boolean
}

/** Keys over their quota that are remembered; the others cost a statement each. */
const refusedMax = 10_000

/**
 * Counts calls over all nodes in the table `rate_limit`. Calls of concurrent requests are counted by one statement; a key that has used up its quota
 * costs none until its window ends.
 */
export function createSharedCounter({ side }: Pick<Database, 'side'>, now: Clock): SharedCounter {
  const refused = new LRUCache<string, CallCount>({ max: refusedMax })
  const inBatches = createBatches<CountedCall, CallCount>((calls) => countAll(side, calls, now()))

  function refusedNow(key: string): CallCount | undefined {
    const known = refused.get(key)
    return known && now() < known.endsAtMs ? known : undefined
  }

  return {
    isUsedUp: (key) => refusedNow(key) !== undefined,
    async count(call) {
      const known = refusedNow(call.key)
      if (known) return known
      const counted = await inBatches(call)
      if (counted.calls >= call.quota) refused.set(call.key, { ...counted, calls: call.quota + 1 })
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
  // In one order everywhere: two statements that lock the same rows would otherwise wait for each other.
  const keys = [...added.keys()].sort()
  const counts = keys.map((key) => added.get(key))
  const ends = keys.map((key) => windows.get(key))
  const rows = await side.query<CountRow>(countStatement, [keys, counts, ends, nowMs])
  const found = new Map(rows.map(({ key, points, expire }) => [key, { calls: points, endsAtMs: Number(expire) }]))
  // The calls of one key come one after the other: the first of two got one less than the second.
  return calls.map(({ key }) => {
    const { calls: all = 0, endsAtMs = nowMs } = found.get(key) ?? {}
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

/** Deletes the counts of windows that ended long ago: a day, because windows follow the clocks of the nodes. Part of the upkeep. */
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
