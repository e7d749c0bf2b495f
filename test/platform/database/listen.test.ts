import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'

import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import type { Database } from '../../../src/platform/database/database.ts'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { listen, listenTimes } from '../../../src/platform/database/listen.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const quick = { ...listenTimes, reconnectMinMs: 5, reconnectMaxMs: 20 }

/** Everything the listener tells, in order. */
function listening(database: Database, channel: string, times = quick) {
  const told: string[] = []
  const listener = listen(
    database,
    [channel],
    {
      onNotice: (from, payload) => told.push(`${from}:${payload}`),
      onConnected: () => told.push('connected'),
      onLost: () => told.push('lost'),
      onDeaf: () => told.push('deaf'),
    },
    times,
  )
  onTestFinished(() => listener.stop())
  return { told, listener }
}

async function notify(channel: string, payload: string): Promise<void> {
  await fresh.database.query({ name: 'notify', text: 'select pg_notify($1, $2)' }, [channel, payload])
}

async function terminateListeners(channel: string): Promise<void> {
  const text = 'select pg_terminate_backend(pid) from pg_stat_activity where query = $1'
  await fresh.database.query({ name: 'terminate', text }, [`listen "${channel}"`])
}

test('notices arrive after connected, with channel and payload', async () => {
  const { told } = listening(fresh.database, 'Plain "name"')
  await expect.poll(() => told).toEqual(['connected'])
  await notify('Plain "name"', 'one')
  await notify('another', 'not for us')
  await notify('Plain "name"', '')
  await expect.poll(() => told).toEqual(['connected', 'Plain "name":one', 'Plain "name":'])
})

test('a lost link is told once and at once, and the next one listens again', async () => {
  const { told } = listening(fresh.database, 'lost')
  await expect.poll(() => told).toEqual(['connected'])
  await terminateListeners('lost')
  await expect.poll(() => told).toEqual(['connected', 'lost', 'connected'])
  await notify('lost', 'again')
  await expect.poll(() => told.at(-1)).toBe('lost:again')
})

test('a peer that stops answering without a word is found by the ping', async () => {
  const proxy = await startProxy()
  const { told } = listening(proxy.database, 'silent', { ...quick, pingEveryMs: 20, pingTimeoutMs: 100 })
  await expect.poll(() => told).toEqual(['connected'])
  proxy.swallow(true)
  await expect.poll(() => told).toEqual(['connected', 'lost'])
  proxy.swallow(false)
  await expect.poll(() => told.at(-1)).toBe('connected')
})

test('a database that is away at first is listened to when it comes', async () => {
  const proxy = await startProxy()
  proxy.refuse(true)
  const { told } = listening(proxy.database, 'later')
  await expect.poll(() => proxy.refused()).toBeGreaterThan(2)
  expect(told).toEqual([])
  proxy.refuse(false)
  await expect.poll(() => told).toEqual(['connected'])
})

test('a connection that hears no notices, as behind a pooler in transaction mode, is never called connected', async () => {
  const proxy = await startProxy()
  proxy.deafen(true)
  const { told } = listening(proxy.database, 'deaf')
  await expect.poll(() => told.length).toBeGreaterThan(1)
  expect(new Set(told)).toEqual(new Set(['deaf']))
  proxy.deafen(false)
  await expect.poll(() => told.at(-1)).toBe('connected')
  await notify('deaf', 'now')
  await expect.poll(() => told.at(-1)).toBe('deaf:now')
})

test('a stopped listener tells nothing and leaves no connection', async () => {
  const { told, listener } = listening(fresh.database, 'stopped')
  await expect.poll(() => told).toEqual(['connected'])
  await listener.stop()
  await notify('stopped', 'too late')
  const left = `select 1 from pg_stat_activity where query = 'listen "stopped"'`
  await expect.poll(async () => (await fresh.database.query({ name: 'left', text: left }, [])).length).toBe(0)
  expect(told).toEqual(['connected'])
})

/** A wire to the database that can swallow what passes, or hang up on whoever dials. */
async function startProxy() {
  const state = { swallowing: false, refusing: false, refused: 0, deaf: false }
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
      const pass = from === far ? withoutNotices(() => state.deaf) : (data: Buffer) => data
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
    deafen: (on: boolean) => (state.deaf = on),
    refused: () => state.refused,
  }
}

/** What the server says, without its notices while `isDeaf`. A message is a letter and four bytes of length (itself included); `A` is a notice. */
function withoutNotices(isDeaf: () => boolean): (data: Buffer) => Buffer {
  let pending = Buffer.alloc(0)
  return (data) => {
    pending = Buffer.concat([pending, data])
    const passed: Buffer[] = []
    while (pending.length >= 5 && pending.length >= 1 + pending.readUInt32BE(1)) {
      const message = pending.subarray(0, 1 + pending.readUInt32BE(1))
      if (!(isDeaf() && message[0] === 0x41)) passed.push(message)
      pending = pending.subarray(message.length)
    }
    return Buffer.concat(passed)
  }
}
