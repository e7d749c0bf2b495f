import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import type { Database } from '../../../src/platform/database/database.ts'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { listen, listenTimings } from '../../../src/platform/database/listen.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { startDatabaseProxy } from '../../support/database-proxy.ts'
import { ownServer } from '../../support/own-server.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const quick = { ...listenTimings, reconnectMinMs: 5, reconnectMaxMs: 20 }

/** A listener, and the calls of its handlers in order. */
function listening(database: Database, channel: string, timings = quick) {
  const events: string[] = []
  const beats = { count: 0 }
  const listener = listen(
    database,
    [channel],
    {
      onNotification: (from, payload) => events.push(`${from}:${payload}`),
      onConnected: () => events.push('connected'),
      onLost: () => events.push('lost'),
      onNotifyBlocked: () => events.push('notify blocked'),
      onHeartbeat: () => () => (beats.count += 1),
    },
    timings,
  )
  onTestFinished(() => listener.stop())
  return { events, beats, listener }
}

async function notify(channel: string, payload: string): Promise<void> {
  await fresh.database.query({ name: 'notify', text: 'select pg_notify($1, $2)' }, [channel, payload])
}

/** The listener of the test that runs: its last statement was a heartbeat. */
async function terminateListener(): Promise<void> {
  await fresh.sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${isListener}`)
}

const isListener = `datname = current_database() and query like '%muster_heartbeat%' and pid <> pg_backend_pid()`

test('notifications arrive after connected, with channel and payload', async () => {
  const { events } = listening(fresh.database, 'Plain "name"')
  await expect.poll(() => events).toEqual(['connected'])
  await notify('Plain "name"', 'one')
  await notify('another', 'not for us')
  await notify('Plain "name"', '')
  await expect.poll(() => events).toEqual(['connected', 'Plain "name":one', 'Plain "name":'])
})

test('a lost link is reported once and at once, and the next one listens again', async () => {
  const { events } = listening(fresh.database, 'lost')
  await expect.poll(() => events).toEqual(['connected'])
  await terminateListener()
  await expect.poll(() => events).toEqual(['connected', 'lost', 'connected'])
  await notify('lost', 'again')
  await expect.poll(() => events.at(-1)).toBe('lost:again')
})

test('the heartbeat finds a link that was lost without an error', async () => {
  const proxy = await startDatabaseProxy(fresh)
  const { events } = listening(proxy.database, 'silent', { ...quick, heartbeatEveryMs: 20, heartbeatTimeoutMs: 1_000 })
  await expect.poll(() => events).toEqual(['connected'])
  proxy.freeze('all')
  await expect.poll(() => events).toEqual(['connected', 'lost'])
  proxy.freeze('none')
  await expect.poll(() => events.at(-1)).toBe('connected')
})

test('awaitProcessed resolves after the handler has run, and reports a link on which it cannot know', async () => {
  const proxy = await startDatabaseProxy(fresh)
  const { events, listener } = listening(proxy.database, 'processed', { ...quick, heartbeatTimeoutMs: 1_000 })
  await expect.poll(() => events).toEqual(['connected'])
  await notify('processed', 'one')
  await listener.awaitProcessed()
  expect(events).toEqual(['connected', 'processed:one'])
  proxy.freeze('all')
  await listener.awaitProcessed()
  await expect.poll(() => events.at(-1)).toBe('lost')
})

test('a database that cannot be reached at first is listened to as soon as it can', async () => {
  const proxy = await startDatabaseProxy(fresh)
  proxy.refuse(true)
  const { events } = listening(proxy.database, 'later')
  await expect.poll(() => proxy.refused()).toBeGreaterThan(2)
  expect(events).toEqual([])
  proxy.refuse(false)
  await expect.poll(() => events).toEqual(['connected'])
})

test('a connection that receives no notifications, as behind a pooler in transaction mode, never counts as connected', async () => {
  const proxy = await startDatabaseProxy(fresh)
  proxy.block(true)
  const { events } = listening(proxy.database, 'blocked')
  await expect.poll(() => events.length).toBeGreaterThan(1)
  expect(new Set(events)).toEqual(new Set(['notify blocked']))
  proxy.block(false)
  await expect.poll(() => events.at(-1)).toBe('connected')
  await notify('blocked', 'now')
  await expect.poll(() => events.at(-1)).toBe('blocked:now')
})

test('a link on which notifications stop arriving, while statements still answer, is lost', async () => {
  const proxy = await startDatabaseProxy(fresh)
  const { events, beats } = listening(proxy.database, 'deaf', { ...quick, heartbeatEveryMs: 20 })
  await expect.poll(() => beats.count).toBeGreaterThan(1)
  expect(events).toEqual(['connected'])
  proxy.block(true)
  await expect.poll(() => events).toContain('lost')
  const before = beats.count
  await expect.poll(() => events.at(-1)).toBe('notify blocked')
  expect(beats.count).toBe(before)
  proxy.block(false)
  await expect.poll(() => beats.count).toBeGreaterThan(before)
})

test('where the synchronous standbys follow another server, no heartbeat counts', async () => {
  const server = await ownServer({})
  const database = pooledDatabase({
    link: { url: new Secret(server.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000 },
    preparedStatements: true,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => database.close())
  const timings = { ...quick, heartbeatEveryMs: 20, heartbeatTimeoutMs: 500 }
  const { events, beats } = listening(database, 'gone', timings)
  await expect.poll(() => beats.count).toBeGreaterThan(1)
  await server.sql(`alter system set synchronous_standby_names = 'gone'`)
  await server.sql('select pg_reload_conf()')
  await expect.poll(() => events).toContain('lost')
  const before = beats.count
  await expect.poll(() => events.filter((event) => event === 'lost').length).toBeGreaterThan(1)
  expect(beats.count).toBe(before)
  // One that is under way, at most: those of lost connections wait no more.
  const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep'`
  await expect.poll(() => events.filter((event) => event === 'lost').length).toBeGreaterThan(3)
  await expect.poll(async () => (await server.sql(waiting)).rowCount).toBeLessThan(2)
  await server.sql('alter system reset synchronous_standby_names')
  await server.sql('select pg_reload_conf()')
  await expect.poll(() => beats.count).toBeGreaterThan(before)
})

test('a stopped listener calls no handler and leaves no connection', async () => {
  const { events, listener } = listening(fresh.database, 'stopped')
  await expect.poll(() => events).toEqual(['connected'])
  await listener.stop()
  await notify('stopped', 'too late')
  const left = `select 1 from pg_stat_activity where ${isListener}`
  await expect.poll(async () => (await fresh.sql(left)).length).toBe(0)
  expect(events).toEqual(['connected'])
})
