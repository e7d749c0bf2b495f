import fc from 'fast-check'
import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  eventsMax,
  type FeedPosition,
  lookStatement,
  readChanges,
} from '../../../src/platform/database/read-changes.ts'
import { beginTurns, passTurns, truncateOldChanges } from '../../support/change-turns.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

/** A database, and a reader of its changes that has looked once. */
async function readerForTest() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  await beginTurns(fresh)
  let position: FeedPosition | undefined
  const reader = {
    fresh,
    async look() {
      const found = await readChanges(fresh.database, position)
      position = found.position
      return found.events
    },
  }
  expect(await reader.look()).toBeUndefined()
  return reader
}

async function connection({ database }: FreshDatabase): Promise<Client> {
  const client = await database.connect()
  onTestFinished(() => client.end())
  return client
}

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const eventOf = (number: number) => `account:${idOf(number)}`
const change = (number: number) => `select tell_changed('account', array['${idOf(number)}'::uuid])`

test('a change is seen once, when its transaction has committed, whichever began first', async () => {
  const { fresh, look } = await readerForTest()
  const [early, late] = [await connection(fresh), await connection(fresh)]
  await early.query(`begin; ${change(1)}`)
  await late.query(`begin; ${change(2)}`)
  expect(await look()).toEqual([])
  await late.query('commit')
  expect(await look()).toEqual([eventOf(2)])
  expect(await look()).toEqual([])
  await early.query(`savepoint s; ${change(3)}; rollback to s; savepoint t; ${change(4)}; commit`)
  expect(await look()).toEqual([eventOf(1), eventOf(4)])
  expect(await look()).toEqual([])
  await early.query(`begin; ${change(5)}; rollback`)
  expect(await look()).toEqual([])
})

const writers = 4
/** A writer begins a transaction, changes something in it, and ends it; a reader looks. */
const step = fc.record({
  kind: fc.constantFrom('change' as const, 'change' as const, 'commit' as const, 'rollback' as const, 'look' as const),
  writer: fc.integer({ min: 0, max: writers - 1 }),
})

test('whatever the order of changes, commits, rollbacks and looks, each committed change is seen exactly once', async () => {
  const { fresh, look } = await readerForTest()
  const clients = await Promise.all(Array.from({ length: writers }, () => connection(fresh)))
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const open = clients.map((): string[] => [])
      const [committed, seen]: [string[], string[]] = [[], []]
      const seeAll = async () => seen.push(...((await look()) ?? ['nothing is known']))
      async function end(writer: number, how: 'commit' | 'rollback') {
        await clients[writer]?.query(how)
        const changes = open[writer]?.splice(0) ?? []
        if (how === 'commit') committed.push(...changes)
      }
      for (const { kind, writer } of steps) {
        if (kind === 'look') await seeAll()
        else if (kind !== 'change') await end(writer, kind)
        else {
          count += 1
          await clients[writer]?.query(open[writer]?.length === 0 ? `begin; ${change(count)}` : change(count))
          open[writer]?.push(eventOf(count))
        }
      }
      for (const [writer] of clients.entries()) await end(writer, 'commit')
      await seeAll()
      expect(seen.sort()).toEqual(committed.sort())
    }),
    { numRuns: 30 },
  )
})

test('more changes than one look takes count as a change of everything', async () => {
  const { fresh, look } = await readerForTest()
  const many = (count: number) =>
    `insert into change_event_0 (kind, id) select 'account', gen_random_uuid() from generate_series(1, ${count})`
  await fresh.sql(many(eventsMax))
  expect(await look()).toHaveLength(eventsMax)
  await fresh.sql(many(eventsMax + 1))
  expect(await look()).toEqual(['all'])
  expect(await look()).toEqual([])
})

test('after a crash, a failover or a load, which leave no row in change_feed, a reader begins anew, and all readers alike', async () => {
  const { fresh, look } = await readerForTest()
  await fresh.sql('delete from change_feed')
  await fresh.sql(change(1))
  expect(await look()).toBeUndefined()
  await fresh.sql(change(2))
  expect(await look()).toEqual([eventOf(2)])
  const another = await readChanges(fresh.database, undefined)
  expect((await readChanges(fresh.database, another.position)).events).toEqual([])
})

test('old events are removed at once; who has seen them goes on, and who has not begins anew', async () => {
  const { fresh, look } = await readerForTest()
  const asleep = await readChanges(fresh.database, undefined)
  await fresh.sql(change(1))
  expect(await look()).toEqual([eventOf(1)])
  for (const turns of [0, 1]) {
    await passTurns(fresh, turns)
    expect(await truncateOldChanges(fresh)).toBe(false)
    expect((await readChanges(fresh.database, asleep.position)).events).toEqual([eventOf(1)])
  }
  // Transactions of other databases count, too: while an older one is open, a reader cannot tell that it has seen everything before.
  const isOver = `select pg_snapshot_xmin(pg_current_snapshot()) > (select xid from change_event order by xid desc limit 1) as "isOver"`
  await expect.poll(() => fresh.sql(isOver)).toEqual([{ isOver: true }])
  expect(await look()).toEqual([])
  await passTurns(fresh, 2)
  expect(await truncateOldChanges(fresh)).toBe(true)
  expect(await truncateOldChanges(fresh)).toBe(false)
  expect(await look()).toEqual([])
  expect((await readChanges(fresh.database, asleep.position)).events).toBeUndefined()
  await fresh.sql(change(2))
  expect(await look()).toEqual([eventOf(2)])
})

test('events of a transaction that has not ended are not removed, and those that nobody removed do no harm', async () => {
  const { fresh, look } = await readerForTest()
  const long = await connection(fresh)
  await long.query(`begin; ${change(1)}`)
  await passTurns(fresh, 2)
  expect(await truncateOldChanges(fresh)).toBe(false)
  await passTurns(fresh, 3)
  await fresh.sql(change(2))
  expect(await look()).toEqual([eventOf(2)])
  await long.query('commit')
  expect(await look()).toEqual([eventOf(1)])
})

test('events that a long transaction commits just before they are removed are not missed', async () => {
  const { fresh, look } = await readerForTest()
  const long = await connection(fresh)
  await long.query(`begin; ${change(1)}`)
  // Its number is higher than that of the long one, and it is removed first.
  await passTurns(fresh, 1)
  await fresh.sql(change(2))
  expect(await look()).toEqual([eventOf(2)])
  await passTurns(fresh, 3)
  expect(await truncateOldChanges(fresh)).toBe(true)
  // Once for each removal, not again and again while the transaction runs.
  expect(await look()).toBeUndefined()
  expect(await look()).toEqual([])
  await long.query('commit')
  await passTurns(fresh, 2)
  expect(await truncateOldChanges(fresh)).toBe(true)
  expect(await look()).toBeUndefined()
})

test('a look reads by the indexes, also where the tables have grown since it was planned', async () => {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const client = await connection(fresh)
  await client.query(`set plan_cache_mode = force_generic_plan; insert into change_feed default values`)
  await client.query(`prepare look (text, text) as ${lookStatement.text}`)
  await client.query(`execute look (null, null)`)
  await client.query(
    `insert into change_event_0 (kind, id) select 'account', gen_random_uuid() from generate_series(1, 20000)`,
  )
  const { rows } = await client.query<Record<'QUERY PLAN', string>>(
    `explain (costs off) execute look (pg_current_snapshot()::text, '0')`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).not.toMatch(/Seq Scan on change_event/)
  expect(plan.match(/Index Cond: \(.*\bxid\b/g)).toHaveLength(6)
})
