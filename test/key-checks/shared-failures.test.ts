import { expect, onTestFinished, test } from 'vitest'
import { heldMs } from '../../src/key-checks/engine/failures.ts'
import { sharedFailureCounts } from '../../src/key-checks/shared-failures.ts'
import { Problem } from '../../src/platform/problems.ts'
import { holdRows, longLockWaits } from '../support/blocked.ts'
import { freshDatabase } from '../support/database.ts'

/** Two processes with one database, and a clock that is moved by hand. */
async function twoProcesses() {
  const fresh = await freshDatabase({ limits: longLockWaits })
  onTestFinished(() => fresh.drop())
  const clock = { nowMs: Date.parse('2026-10-01T12:00:00Z') }
  const counts = () => sharedFailureCounts(fresh.database, { windowMs: 300_000, now: () => clock.nowMs })
  return { fresh, clock, one: counts(), other: counts() }
}

test('of four checks that two processes begin at once, as many take places as there are', async () => {
  const { fresh, one, other } = await twoProcesses()
  // Each that has counted waits to write down its places.
  const places = await holdRows(fresh, [['lock table provider_failure in exclusive mode', []]])
  const taking = Promise.all([one, other, one, other].map((process) => process.take('cloudflare', 2, 6)))
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(() => fresh.sql(waiting)).toHaveLength(4)
  await places.commitOnce(taking)
  expect((await taking).filter(({ kind }) => kind === 'places')).toHaveLength(3)
})

test('a failure of one process keeps its place for the other until the window ends; a place without a failure is free at once', async () => {
  const { one, other, clock } = await twoProcesses()
  const first = await one.take('cloudflare', 2, 2)
  expect(await other.take('cloudflare', 2, 2)).toEqual({ kind: 'no_place', waitMs: 1_000 })
  if (first.kind === 'places') await first.settle(0)
  const second = await other.take('cloudflare', 2, 2)
  if (second.kind === 'places') await second.settle(1)
  clock.nowMs += 100_000
  expect(await one.take('cloudflare', 2, 2)).toEqual({ kind: 'no_place', waitMs: 200_000 })
  expect((await one.take('desec', 2, 2)).kind).toBe('places')
  clock.nowMs += 200_000
  expect((await one.take('cloudflare', 2, 2)).kind).toBe('places')
})

test('the places of a process that was killed are free after a minute', async () => {
  const { one, other, clock } = await twoProcesses()
  await one.take('cloudflare', 2, 2)
  clock.nowMs += heldMs
  expect((await other.take('cloudflare', 2, 2)).kind).toBe('places')
})

test('what has left the window is removed', async () => {
  const { one, fresh, clock } = await twoProcesses()
  await one.add('cloudflare', 3)
  clock.nowMs += 300_000
  await one.add('cloudflare', 1)
  const statement = { name: 'provider_failures_left', text: 'select count(*)::int as count from provider_failure' }
  expect(await fresh.database.query(statement, [])).toEqual([{ count: 1 }])
})

test('where the database does not answer, each process counts for itself', async () => {
  const unavailable = () => Promise.reject(new Problem('database_unavailable'))
  const database = { query: unavailable, transaction: unavailable }
  const counts = sharedFailureCounts(database, { windowMs: 300_000, now: Date.now })
  await counts.add('cloudflare', 5)
  expect((await counts.take('cloudflare', 2, 6)).kind).toBe('no_place')
  expect((await counts.take('cloudflare', 1, 6)).kind).toBe('places')
})
