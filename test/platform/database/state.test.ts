import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { databaseLimits } from '../../../src/platform/database/limits.ts'
import { pooledDatabase } from '../../../src/platform/database/pool.ts'
import { createLog } from '../../../src/platform/log.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { freshDatabase } from '../../support/database.ts'

const one = { name: 'one', text: 'select 1 as n' }
const insert = { name: 'insert', text: 'insert into note (id) values ($1)' }
const quick = { delayMinMs: 20, delayMaxMs: 100 }

interface Line {
  readonly msg: string
  readonly state?: string
  readonly was?: string
  readonly cause?: string
  readonly err?: unknown
}

/** A database and the lines that it logs. */
function opened(url: string, limits = {}) {
  const lines: Line[] = []
  const log = createLog('trace', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const database = pooledDatabase({
    link: { url: new Secret(url) },
    first: { link: { url: new Secret(url) } },
    limits: { ...databaseLimits, connectTimeoutMs: 20_000, ...limits },
    preparedStatements: true,
    log,
    timings: quick,
  })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= database.close())
  onTestFinished(close)
  return { database, lines, close, state: () => database.health().state }
}

async function fresh() {
  const made = await freshDatabase({ empty: true })
  onTestFinished(() => made.drop())
  const admin = new Client(made.adminUrl)
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query('create schema muster; grant all on schema muster to public')
  const name = new URL(made.url).pathname.slice(1)
  return { url: made.url, admin, name }
}

/** State changes in the log. Each is one line without a stack. */
function changesOf(lines: readonly Line[]) {
  const changes = lines.filter(({ state }) => state !== undefined)
  for (const { err } of changes) expect(err).toBeUndefined()
  return changes.map(({ state, cause, was }) => ({ state, ...(cause && { cause }), ...(was && { was }) }))
}

const problem = async (work: Promise<unknown>) => {
  const { code, more } = await work.then(
    () => ({ code: 'none', more: {} }),
    (error) => error,
  )
  return { code, retryAfterSeconds: more.retryAfterSeconds }
}

interface Way {
  attempts: number
  mode: 'open' | 'refuse' | 'hold'
  /** Continues the waiting connection. */
  release: () => void
}

/** A TCP proxy to the server that can reject or delay connections. */
async function openProxy(url: string) {
  const target = new URL(url)
  const port = Number(target.port)
  const way: Way = { attempts: 0, mode: 'open', release: () => undefined }
  const proxy = createServer(async (socket) => {
    way.attempts += 1
    socket.on('error', () => undefined)
    if (way.mode === 'refuse') return void socket.resetAndDestroy()
    if (way.mode === 'hold')
      await new Promise<void>((resolve) => {
        way.release = resolve
      })
    const through = connect(port, target.hostname).on('error', () => undefined)
    socket.pipe(through).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  target.port = String((proxy.address() as AddressInfo).port)
  return { url: target.href, way }
}

test('unreachable: many requests share a few connection attempts, and the log has one line for the start and one for the end', async () => {
  const { url } = await fresh()
  const { url: proxied, way } = await openProxy(url)
  way.mode = 'refuse'
  const { database, lines, state } = opened(proxied)

  expect(await problem(database.query(one, []))).toEqual({ code: 'database_unavailable', retryAfterSeconds: 1 })
  await expect.poll(state).toBe('unreachable')
  const before = way.attempts
  for (let count = 0; count < 500; count += 1)
    expect((await problem(database.query(one, []))).code).toBe('database_unavailable')
  await problem(database.ping())
  await problem(database.stream(one, []).next())
  // One probe per pause of at least 50 ms, and none for each of the 502 requests.
  expect(way.attempts - before).toBeLessThan(100)

  way.mode = 'open'
  await expect.poll(state).toBe('up')
  expect(await database.query(one, [])).toEqual([{ n: 1 }])
  expect(changesOf(lines)).toEqual([
    { state: 'unreachable', cause: 'ECONNRESET' },
    { state: 'up', was: 'unreachable' },
  ])
  expect(lines.at(-1)?.msg).toMatch(/^the database is up again after [\d.]+ s$/)
  expect(lines.map(({ msg }) => msg).filter((msg) => msg.startsWith('another host'))).toEqual([])
})

test('a database that is closed during a probe stays closed', async () => {
  const { url, admin, name } = await fresh()
  const { url: proxied, way } = await openProxy(url)
  const { database, state, close } = opened(proxied)
  await admin.query('create table note (id int); grant all on note to public')
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  expect((await problem(database.query(insert, [1]))).code).toBe('read_only')
  way.mode = 'hold'
  const before = way.attempts
  await expect.poll(() => way.attempts).toBeGreaterThan(before)
  // Not earlier: a probe that was not delayed would have succeeded and been the last one.
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  const closed = close()
  way.release()
  await closed
  expect(state()).toBe('read_only')
  await expect(database.query(one, [])).rejects.toThrow()
})

test('refused and saturated: the SQLSTATE is the cause, and the database recovers without a request', async () => {
  const { url, admin, name } = await fresh()
  const { database, lines, state } = opened(url)
  await admin.query(`alter database ${name} connection limit 0`)
  expect((await problem(database.query(one, []))).code).toBe('database_unavailable')
  expect(state()).toBe('saturated')
  await admin.query(`alter database ${name} connection limit -1`)
  await expect.poll(state).toBe('up')

  const role = `revoke connect on database ${name} from public`
  const owner = decodeURIComponent(new URL(url).username)
  await admin.query(`alter database ${name} owner to postgres`)
  await admin.query(role)
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = $2`, [
    name,
    owner,
  ])
  await expect.poll(() => problem(database.query(one, []))).toMatchObject({ code: 'database_unavailable' })
  await expect.poll(state).toBe('refused')
  await admin.query(`grant connect on database ${name} to public`)
  await expect.poll(state).toBe('up')
  expect(changesOf(lines)).toEqual([
    { state: 'saturated', cause: '53300' },
    { state: 'up', was: 'saturated' },
    { state: 'refused', cause: '42501' },
    { state: 'up', was: 'refused' },
  ])
})

test('saturated: requests wait for the open connections, and none fails', async () => {
  const { url, admin, name } = await fresh()
  const { database, lines, state } = opened(url, { connectionsMax: 8 })
  // The test's own connection counts, although the limit does not apply to a superuser.
  await admin.query(`alter database ${name} connection limit 3`)
  const slow = { name: 'slow', text: 'select 1 as n, pg_sleep(0.02)' }
  await database.query(one, [])
  const rows = await Promise.all(Array.from({ length: 40 }, () => database.query(slow, [])))
  expect(rows).toHaveLength(40)
  await expect.poll(() => lines.some((line) => line.state === 'saturated')).toBe(true)
  await admin.query(`alter database ${name} connection limit -1`)
  await expect.poll(state).toBe('up')
  expect(await Promise.all(Array.from({ length: 40 }, () => database.query(slow, [])))).toHaveLength(40)
})

test('read-only: changes fail with read_only, reads work, and recovery needs no restart', async () => {
  const { url, admin, name } = await fresh()
  const { database, lines, state } = opened(url)
  await database.query({ name: 'table', text: 'create table note (id int)' }, [])
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await admin.query(end, [name])
  await expect.poll(() => problem(database.query(insert, [1]))).toEqual({ code: 'read_only', retryAfterSeconds: 5 })
  expect(state()).toBe('read_only')
  expect(await database.query(one, [])).toEqual([{ n: 1 }])

  await admin.query('set default_transaction_read_only = off')
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  await expect.poll(state).toBe('up')
  await database.query(insert, [1])
  expect(changesOf(lines).filter(({ state }) => state === 'read_only')).toEqual([
    { state: 'read_only', cause: '25006' },
  ])
  expect(changesOf(lines).at(-1)).toEqual({ state: 'up', was: 'read_only' })
})

test('full: changes fail with read_only, reads work, and recovery needs no restart', async () => {
  const { url } = await fresh()
  const { database, lines, state } = opened(url)
  await database.query({ name: 'table', text: 'create table note (id int)' }, [])
  // PostgreSQL's error for a full disk.
  await database.query(
    {
      name: 'function',
      text: `create function full_disk() returns trigger language plpgsql as
             $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
    },
    [],
  )
  const on = 'create trigger full_disk before insert on note execute function full_disk()'
  await database.query({ name: 'trigger', text: on }, [])
  expect(await problem(database.query(insert, [1]))).toEqual({ code: 'read_only', retryAfterSeconds: 5 })
  expect(state()).toBe('full')
  expect(await database.query(one, [])).toEqual([{ n: 1 }])
  await database.query({ name: 'drop', text: 'drop trigger full_disk on note' }, [])
  await expect.poll(state).toBe('up')
  await database.query(insert, [1])
  expect(changesOf(lines)).toEqual([
    { state: 'full', cause: '53100' },
    { state: 'up', was: 'full' },
  ])
})

test('one terminated backend, a slow statement and a violated constraint do not change the state', async () => {
  const { url, admin, name } = await fresh()
  const { database, lines, state } = opened(url, { statementTimeoutMs: 500 })
  await database.query({ name: 'table', text: 'create table note (id int primary key)' }, [])
  await database.query(insert, [1])
  await expect(database.query(insert, [1])).rejects.toMatchObject({ code: '23505' })
  expect((await problem(database.query({ name: 'slow', text: 'select pg_sleep(9)' }, []))).code).toBe(
    'database_unavailable',
  )
  const other = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`
  await admin.query(other, [name])
  await expect.poll(() => problem(database.query(one, []))).toMatchObject({ code: 'none' })
  expect(state()).toBe('up')
  expect(changesOf(lines)).toEqual([])
})
