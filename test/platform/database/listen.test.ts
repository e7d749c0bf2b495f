import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import type { Database } from '../../../src/platform/database/database.ts'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { listen, listenTimings } from '../../../src/platform/database/listen.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const quick = { ...listenTimings, reconnectMinMs: 5, reconnectMaxMs: 20 }

/** A listener, and the calls of its handlers in order. */
function listening(database: Database, channel: string, timings = quick) {
  const events: string[] = []
  const listener = listen(
    database,
    [channel],
    {
      onNotification: (from, payload) => events.push(`${from}:${payload}`),
      onConnected: () => events.push('connected'),
      onLost: () => events.push('lost'),
      onNotifyBlocked: () => events.push('notify blocked'),
    },
    timings,
  )
  onTestFinished(() => listener.stop())
  return { events, listener }
}

async function notify(channel: string, payload: string): Promise<void> {
  await fresh.database.query({ name: 'notify', text: 'select pg_notify($1, $2)' }, [channel, payload])
}

async function terminateListeners(channel: string): Promise<void> {
  const text = 'select pg_terminate_backend(pid) from pg_stat_activity where query = $1'
  await fresh.database.query({ name: 'terminate', text }, [`listen "${channel}"`])
}

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
  await terminateListeners('lost')
  await expect.poll(() => events).toEqual(['connected', 'lost', 'connected'])
  await notify('lost', 'again')
  await expect.poll(() => events.at(-1)).toBe('lost:again')
})

test('the ping finds a link that was lost without an error', async () => {
  const proxy = await startProxy()
  const { events } = listening(proxy.database, 'silent', { ...quick, pingEveryMs: 20, pingTimeoutMs: 1_000 })
  await expect.poll(() => events).toEqual(['connected'])
  proxy.swallow(true)
  await expect.poll(() => events).toEqual(['connected', 'lost'])
  proxy.swallow(false)
  await expect.poll(() => events.at(-1)).toBe('connected')
})

test('awaitProcessed resolves after the handler has run, and reports a link on which it cannot know', async () => {
  const proxy = await startProxy()
  const { events, listener } = listening(proxy.database, 'processed', { ...quick, pingTimeoutMs: 1_000 })
  await expect.poll(() => events).toEqual(['connected'])
  await notify('processed', 'one')
  await listener.awaitProcessed()
  expect(events).toEqual(['connected', 'processed:one'])
  proxy.swallow(true)
  await listener.awaitProcessed()
  await expect.poll(() => events.at(-1)).toBe('lost')
})

test('a database that cannot be reached at first is listened to as soon as it can', async () => {
  const proxy = await startProxy()
  proxy.refuse(true)
  const { events } = listening(proxy.database, 'later')
  await expect.poll(() => proxy.refused()).toBeGreaterThan(2)
  expect(events).toEqual([])
  proxy.refuse(false)
  await expect.poll(() => events).toEqual(['connected'])
})

test('a connection that receives no notifications, as behind a pooler in transaction mode, never counts as connected', async () => {
  const proxy = await startProxy()
  proxy.block(true)
  const { events } = listening(proxy.database, 'blocked')
  await expect.poll(() => events.length).toBeGreaterThan(1)
  expect(new Set(events)).toEqual(new Set(['notify blocked']))
  proxy.block(false)
  await expect.poll(() => events.at(-1)).toBe('connected')
  await notify('blocked', 'now')
  await expect.poll(() => events.at(-1)).toBe('blocked:now')
})

test('a stopped listener calls no handler and leaves no connection', async () => {
  const { events, listener } = listening(fresh.database, 'stopped')
  await expect.poll(() => events).toEqual(['connected'])
  await listener.stop()
  await notify('stopped', 'too late')
  const left = `select 1 from pg_stat_activity where query = 'listen "stopped"'`
  await expect.poll(async () => (await fresh.database.query({ name: 'left', text: left }, [])).length).toBe(0)
  expect(events).toEqual(['connected'])
})

/** A TCP proxy in front of the database that can drop data, refuse connections, or remove notifications. */
async function startProxy() {
  const state = { swallowing: false, refusing: false, refused: 0, blocking: false }
  const target = new URL(fresh.url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (state.refusing) {
      state.refused += 1
      near.destroy()
      return
    }
    const far = dial(Number(target.port), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      const pass = from === far ? withoutNotifications(() => state.blocking) : (data: Buffer) => data
      from.on('data', (data) => state.swallowing || to.write(pass(data)))
      from.on('error', () => to.destroy())
      from.on('close', () => state.swallowing || to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(fresh.url)
  url.port = String(typeof address === 'object' ? address?.port : '')
  const database = pooledDatabase({
    link: { url: new Secret(url.href) },
    limits: { ...databaseLimits, connectTimeoutMs: 500 },
    preparedStatements: true,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    await database.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    database,
    swallow: (on: boolean) => (state.swallowing = on),
    refuse: (on: boolean) => (state.refusing = on),
    block: (on: boolean) => (state.blocking = on),
    refused: () => state.refused,
  }
}

/** What the server says, without notifications while `isBlocking`. A message is a letter and four bytes of length (itself included); `A` is a notification. */
function withoutNotifications(isBlocking: () => boolean): (data: Buffer) => Buffer {
  let pending = Buffer.alloc(0)
  return (data) => {
    pending = Buffer.concat([pending, data])
    const passed: Buffer[] = []
    while (pending.length >= 5 && pending.length >= 1 + pending.readUInt32BE(1)) {
      const message = pending.subarray(0, 1 + pending.readUInt32BE(1))
      if (!(isBlocking() && message[0] === 0x41)) passed.push(message)
      pending = pending.subarray(message.length)
    }
    return Buffer.concat(passed)
  }
}
