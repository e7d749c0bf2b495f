import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { followChanges } from '../../../src/platform/database/change-feed.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import { createFreshness } from '../../../src/platform/database/freshness.ts'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { beginTurns, passTurns, truncateOldChanges } from '../../support/change-turns.ts'
import { freshDatabase } from '../../support/database.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'
import { ownServer } from '../../support/own-server.ts'

const log = pino({ level: 'silent' })
const timings = { everyMs: 5, proofEveryMs: 20, lateMs: 20_000, timeoutMs: 20_000 }

/** A feed of the database, and what it has applied, in order. It proves for a minute. */
function following(database: Database, more: Partial<typeof timings> = {}, failures = 0) {
  const applied: string[] = []
  const lines: string[] = []
  let left = failures
  const freshness = createFreshness(60)
  const feed = followChanges(
    database,
    async (events) => {
      if (left-- > 0) throw new Error('not yet')
      applied.push(...(events ?? ['begun']))
    },
    {
      ...timings,
      ...more,
      freshness,
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    },
  )
  onTestFinished(() => feed.stop())
  return { applied, lines, feed, freshness }
}

async function freshForTest() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const tell = (kind: 'all' | 'directory') => fresh.sql(`select tell_changed('${kind}', array[null::uuid])`)
  return { ...fresh, tell }
}

test('changes arrive after the beginning by themselves, and each of them at once where it is waited for', async () => {
  const { database, tell } = await freshForTest()
  const { applied, freshness } = following(database)
  await expect.poll(() => applied).toEqual(['begun'])
  expect(freshness.isProven()).toBe(true)
  await tell('directory')
  await expect.poll(() => applied).toEqual(['begun', 'directory'])

  const patient = following(database, { everyMs: 3_600_000 })
  await patient.feed.settled()
  for (const count of [1, 2, 3]) {
    await tell('all')
    await Promise.all([patient.feed.settled(), patient.feed.settled()])
    expect(patient.applied).toEqual(['begun', ...Array(count).fill('all')])
  }
})

test('a look that began before a change does not settle it', async () => {
  const { database, tell } = await freshForTest()
  const applied: string[] = []
  let goOn: (() => void) | undefined
  const feed = followChanges(
    database,
    async (events) => {
      if (!events) await new Promise<void>((resolve) => (goOn = resolve))
      applied.push(...(events ?? ['begun']))
    },
    { ...timings, everyMs: 3_600_000, freshness: createFreshness(60), log },
  )
  onTestFinished(() => feed.stop())
  await expect.poll(() => goOn).toBeDefined()
  await tell('all')
  const settled = feed.settled()
  goOn?.()
  await settled
  expect(applied).toEqual(['begun', 'all'])
})

test('changes that could not be applied come again', async () => {
  const { database, tell } = await freshForTest()
  const { applied, lines, freshness } = following(database, { everyMs: 5, proofEveryMs: 5 }, 2)
  await expect.poll(() => applied).toEqual(['begun'])
  await tell('all')
  await expect.poll(() => applied).toEqual(['begun', 'all'])
  expect(freshness.isProven()).toBe(true)
  expect(lines).toEqual([
    'changes cannot be read: response cache disabled once the last proof is too old',
    'changes are read again',
  ])
})

test('lost connections lose no change, and a look that does not arrive proves nothing to one who waits for it', async () => {
  const fresh = await freshForTest()
  const proxy = await startDatabaseProxy(fresh, { queryTimeoutMs: 1_000 })
  const { applied, feed, freshness } = following(proxy.database, { lateMs: 500 })
  await expect.poll(() => applied).toEqual(['begun'])
  proxy.freeze('all')
  await fresh.tell('all')
  await feed.settled()
  expect(freshness.isProven()).toBe(false)
  await fresh.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'muster' and datname = current_database()`,
  )
  proxy.freeze('none')
  await expect.poll(() => freshness.isProven()).toBe(true)
  expect(applied).toEqual(['begun', 'all'])
})

test('a node that slept for longer than events are kept begins anew', async () => {
  const fresh = await freshForTest()
  await beginTurns(fresh)
  const proxy = await startDatabaseProxy(fresh, { queryTimeoutMs: 1_000 })
  let late = 0
  const suspect = () => {
    late += 1
    proxy.database.suspect()
  }
  const { applied } = following({ ...proxy.database, suspect }, { lateMs: 500 })
  await expect.poll(() => applied).toEqual(['begun'])
  proxy.freeze('all')
  // A look that was under way may still see the change, until it is given up.
  await expect.poll(() => late).toBeGreaterThan(0)
  await fresh.tell('all')
  await passTurns(fresh, 2)
  expect(await truncateOldChanges(fresh)).toBe(true)
  proxy.freeze('none')
  await expect.poll(() => applied).toEqual(['begun', 'begun'])
})

test('where the synchronous standbys follow another server, changes arrive and nothing is proven', async () => {
  const server = await ownServer({})
  const database = pooledDatabase({
    link: { url: new Secret(server.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000 },
    preparedStatements: true,
    log,
  })
  onTestFinished(() => database.close())
  await migrate(database, migrationsFolder(), log)
  const { applied, freshness } = following(database, { timeoutMs: 300 })
  await expect.poll(() => freshness.isProven()).toBe(true)
  await server.sql(`alter system set synchronous_standby_names = 'gone'`)
  await server.sql('select pg_reload_conf()')
  await expect
    .poll(async () => (await server.sql('show synchronous_standby_names')).rows)
    .toEqual([{ synchronous_standby_names: 'gone' }])
  freshness.withdraw()
  const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep'`
  await expect.poll(async () => (await server.sql(waiting)).rowCount).toBe(1)
  await server.sql(`set synchronous_commit = off; select tell_changed('all', array[null::uuid])`)
  await expect.poll(() => applied).toEqual(['begun', 'all'])
  // Each that waits is cancelled in time, and the next one takes its place.
  const starts = new Set<string>()
  const waits = `select xact_start::text as since from pg_stat_activity where wait_event = 'SyncRep'`
  await expect
    .poll(async () => {
      for (const { since } of (await server.sql(waits)).rows) starts.add(since)
      return starts.size
    })
    .toBeGreaterThan(2)
  expect((await server.sql(waiting)).rowCount).toBeLessThan(2)
  expect(freshness.isProven()).toBe(false)
  await server.sql('alter system reset synchronous_standby_names')
  await server.sql('select pg_reload_conf()')
  await expect.poll(() => freshness.isProven()).toBe(true)
})

test('a stopped feed applies nothing more', async () => {
  const { database, tell } = await freshForTest()
  const { applied, feed } = following(database)
  await expect.poll(() => applied).toEqual(['begun'])
  feed.stop()
  await tell('all')
  await feed.settled()
  expect(applied).toEqual(['begun'])
})
