import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import type { Database, Rows } from '../../../src/platform/database/database.ts'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FreshDatabase, type FreshOptions, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  await run('create table note (id int primary key, text text not null)')
})
afterAll(() => fresh.drop())

const unavailable = { name: 'Problem', code: 'database_unavailable' }
const insert = { name: 'insert', text: 'insert into note (id, text) values ($1, $2)' }
const byId = { name: 'by-id', text: 'select text from note where id = $1' }
const whoAmI = { name: 'who-am-i', text: 'select pg_backend_pid() as pid' }
const wait = { name: 'wait', text: 'select pg_sleep(60)' }

async function run(text: string): Promise<void> {
  await fresh.database.query({ name: createHash('sha256').update(text).digest('base64'), text }, [])
}

/** A second database object for the same data, with other limits. */
async function another(options: FreshOptions): Promise<Database> {
  const { limits = {}, preparedStatements = true } = options
  const database = pooledDatabase({
    link: { url: new Secret(fresh.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000, ...limits },
    preparedStatements,
    log: pino({ level: 'silent' }),
  })
  onTestFinished(() => database.close())
  return database
}

async function backendOf(rows: Rows): Promise<number> {
  const [row] = await rows.query<{ pid: number }>(whoAmI, [])
  if (!row) throw new Error('no row')
  return row.pid
}

async function asAdmin<T>(work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client(fresh.adminUrl)
  await admin.connect()
  return work(admin).finally(() => admin.end())
}

const terminate = (pid: number) => asAdmin((admin) => admin.query('select pg_terminate_backend($1)', [pid]))

test('a violated constraint throws its SQLSTATE to the caller and keeps the connection', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  await database.query(insert, [1, 'first'])
  const before = await backendOf(database)
  await expect(database.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505', constraint: 'note_pkey' })
  expect(await backendOf(database)).toBe(before)
})

test('a transaction commits all of its changes', async () => {
  await fresh.database.transaction(async (rows) => {
    await rows.query(insert, [10, 'ten'])
    await rows.query(insert, [11, 'eleven'])
  })
  expect(await fresh.database.query(byId, [11])).toEqual([{ text: 'eleven' }])
})

test('a transaction whose work throws is rolled back, and the connection can be reused', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  const before = await backendOf(database)
  const work = database.transaction(async (rows) => {
    await rows.query(insert, [20, 'twenty'])
    throw new Error('of the caller')
  })
  await expect(work).rejects.toThrow('of the caller')
  expect(await database.query(byId, [20])).toEqual([])
  expect(await backendOf(database)).toBe(before)
})

test('a transaction that ignores a failed statement throws instead of committing', async () => {
  const work = fresh.database.transaction(async (rows) => {
    await rows.query(insert, [30, 'thirty'])
    await rows.query(insert, [30, 'again']).catch(() => undefined)
  })
  await expect(work).rejects.toThrow('A failed statement was ignored')
  expect(await fresh.database.query(byId, [30])).toEqual([])
})

test('database_unavailable — the connection is lost during a transaction: it is rolled back, and the next one works', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  for (const id of [40, 41, 42]) {
    const work = database.transaction(async (rows) => {
      await rows.query(insert, [id, 'lost'])
      await terminate(await backendOf(rows))
      await rows.query(byId, [id])
    })
    await expect(work).rejects.toMatchObject(unavailable)
    expect(await database.query(byId, [id])).toEqual([])
  }
})

test('database_unavailable — the connection is lost between two statements: the commit fails', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  const work = database.transaction(async (rows) => {
    await rows.query(insert, [50, 'lost'])
    await terminate(await backendOf(rows))
    await expect.poll(() => countOf(`select 1 from pg_locks where relation = 'note'::regclass`)).toBe(0)
  })
  await expect(work).rejects.toMatchObject(unavailable)
  expect(await database.query(byId, [50])).toEqual([])
})

async function countOf(text: string): Promise<number | null> {
  return asAdmin(async (admin) => (await admin.query(text)).rowCount)
}

test('an idle connection that is lost is replaced without an error for the caller', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  const pid = await backendOf(database)
  await terminate(pid)
  await expect.poll(() => countOf(`select 1 from pg_stat_activity where pid = ${pid}`)).toBe(0)
  await expect.poll(() => backendOf(database).catch(() => pid)).not.toBe(pid)
})

test('database_unavailable — the server cancels a statement that takes too long', async () => {
  const database = await another({ limits: { statementTimeoutMs: 50 } })
  await expect(database.query(wait, [])).rejects.toMatchObject({ ...unavailable, more: { cause: { code: '57014' } } })
  const active = `select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`
  await expect.poll(() => countOf(active)).toBe(0)
})

test('database_unavailable — a lock timeout', async () => {
  const database = await another({ limits: { lockTimeoutMs: 50 } })
  await fresh.database.transaction(async (rows) => {
    await rows.query({ name: 'lock', text: 'lock table note' }, [])
    const cause = { code: '55P03' }
    await expect(database.query(byId, [1])).rejects.toMatchObject({ ...unavailable, more: { cause } })
  })
})

test('database_unavailable with Retry-After — every connection is in use', async () => {
  const database = await another({ limits: { connectionsMax: 1, connectTimeoutMs: 1_000, closeTimeoutMs: 1 } })
  await database.query(byId, [1])
  await database.transaction(async () => {
    await expect(database.query(byId, [1])).rejects.toMatchObject({ ...unavailable, more: { retryAfterSeconds: 1 } })
  })
})

test('database_unavailable — immediately, if too many requests are waiting', async () => {
  const database = await another({ limits: { connectionsMax: 1, waitingMax: 2 } })
  await database.transaction(async () => {
    const waiting = [database.query(byId, [1]), database.query(byId, [1])]
    await expect(database.query(byId, [1])).rejects.toMatchObject(unavailable)
    // Not awaited until the transaction has released its connection.
    void Promise.allSettled(waiting)
  })
})

test('the health check works while every connection of the pool is in use', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  await database.transaction(async () => {
    await expect(database.ping()).resolves.toBeTypeOf('number')
  })
})

test('read_only — a server that became read-only: its connection is not reused', async () => {
  const database = await another({ limits: { connectionsMax: 1 } })
  const before = await backendOf(database)
  const readOnly = 'set session characteristics as transaction read only'
  await database.query({ name: 'read-only', text: readOnly }, [])
  const cause = { code: '25006' }
  await expect(database.query(insert, [60, 'x'])).rejects.toMatchObject({ code: 'read_only', more: { cause } })
  await database.query(insert, [60, 'x'])
  expect(await backendOf(database)).not.toBe(before)
})

test('database_unavailable — nothing listens at the address', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const address = closed.address()
  const port = typeof address === 'object' ? address?.port : undefined
  closed.close()
  const database = pooledDatabase({
    link: { url: new Secret(`postgres://u:p@127.0.0.1:${port}/d`) },
    limits: databaseLimits,
    preparedStatements: true,
    log: pino({ level: 'silent' }),
  })
  await expect(database.query(byId, [1])).rejects.toMatchObject(unavailable)
  await expect(database.ping()).rejects.toMatchObject(unavailable)
  await expect(database.connect()).rejects.toMatchObject(unavailable)
  await expect(database.transaction(async () => 1)).rejects.toMatchObject(unavailable)
  await expect(database.stream(byId, [1]).next()).rejects.toMatchObject(unavailable)
  await database.close()
})

test('statements are named and planned once per connection, unless prepared statements are off', async () => {
  const prepared = { name: 'prepared', text: 'select name from pg_prepared_statements' }
  const named = await another({ limits: { connectionsMax: 1 } })
  const plain = await another({ limits: { connectionsMax: 1 }, preparedStatements: false })
  expect(await named.query(prepared, [])).toEqual([{ name: 'prepared' }])
  expect(await plain.query(prepared, [])).toEqual([])
})

test('a value that cannot be sent is a mistake in our code, not database_unavailable', async () => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  await expect(fresh.database.query(byId, [circular])).rejects.toBeInstanceOf(TypeError)
})

test('close waits a limited time for a caller that does not finish', async () => {
  const database = pooledDatabase({
    link: { url: new Secret(fresh.url) },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000, closeTimeoutMs: 20 },
    preparedStatements: true,
    log: pino({ level: 'silent' }),
  })
  await database.transaction(() => database.close())
})
