import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connectionBudget, databaseLimits } from '../../../src/platform/database/limits.ts'
import { postgresUrlFault, singleHostUrls } from '../../../src/platform/database/link.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { createLog } from '../../../src/platform/log.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { StartError } from '../../../src/platform/start-error.ts'
import { freshDatabase } from '../../support/database.ts'
import { fakePooler } from '../../support/fake-pooler.ts'
import { standbyWay } from '../../support/standby-way.ts'

interface Line {
  readonly msg: string
  readonly level: number
  readonly wanted?: number
  readonly available?: number
}

/** Opens and migrates the database of a URL, like the service at its start. */
async function start(url: string, { preparedStatements = true, limits = {} } = {}) {
  const lines: Line[] = []
  const log = createLog('info', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const database = await openDatabase({
    url: new Secret(url),
    dataDir: '/nonexistent',
    mode: 'own',
    limits: { connectTimeoutMs: 20_000, ...limits },
    preparedStatements,
    log,
  })
  onTestFinished(() => database.close())
  await migrate(database, migrationsFolder(), log)
  return { database, lines }
}

async function refusal(url: string): Promise<string> {
  const error = await start(url).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof StartError)) throw new Error('it was not refused with a sentence', { cause: error })
  return error.message
}

async function admin(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function empty() {
  const fresh = await freshDatabase({ empty: true })
  onTestFinished(() => fresh.drop())
  return { ...fresh, name: new URL(fresh.url).pathname.slice(1), admin: await admin(fresh.adminUrl) }
}

test('a role that may not create tables is rejected before the first migration, with the missing grant', async () => {
  const { url, admin, name } = await empty()
  const role = decodeURIComponent(new URL(url).username)
  await admin.query(`alter database ${name} owner to postgres`)
  const remedy = `create schema if not exists muster; grant usage, create on schema muster to ${role};`
  expect(await refusal(url)).toBe(
    `The role ${role} may not create tables in the schema muster of the database ${name}: as the owner of the database, run: ${remedy}`,
  )
  await admin.query(remedy)
  await start(url)
})

test('a read-only database is rejected if it needs a migration, and used otherwise', async () => {
  const { url, admin, name } = await empty()
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  expect(await refusal(url)).toMatch(/^The database .* needs a migration but is read-only: set DATABASE_URL/)
  await admin.query('set default_transaction_read_only = off')
  await admin.query(`alter database ${name} reset default_transaction_read_only`)
  await start(url)
  await admin.query(`alter database ${name} set default_transaction_read_only = on`)
  await start(url)
})

test.each(['SQL_ASCII', 'LATIN1'])('an encoding that cannot store every name is rejected — %s', async (encoding) => {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  const postgres = await admin(server.adminUrl)
  const owner = decodeURIComponent(new URL(server.userUrl).username)
  await postgres.query(`create database ${name} owner ${owner} template template0 encoding '${encoding}' locale 'C'`)
  onTestFinished(async () => void (await postgres.query(`drop database ${name} with (force)`)))
  const url = new URL(server.userUrl)
  url.pathname = `/${name}`
  expect(await refusal(url.href)).toMatch(`The database ${name} has the encoding ${encoding}: create one with UTF8`)
})

test('a pooler that rejects startup parameters is rejected with the required settings, and works with them', async () => {
  const { url } = await empty()
  expect(await refusal(await fakePooler(url, { ignoresParameters: false }))).toMatch(
    /^The pooler of DATABASE_URL rejects .*ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout/,
  )
  const { lines, database } = await start(await fakePooler(url, { ignoresParameters: true }))
  expect(lines.filter(({ msg }) => msg.startsWith('a pooler is between'))).toHaveLength(1)
  expect(database.server.isPooled).toBe(true)
  expect((await start(url)).database.server.isPooled).toBe(false)
})

test('a server with too few connections: one log line, smaller pools, and no failed request', async () => {
  const { url, admin, name } = await empty()
  await start(url)
  await admin.query(`alter database ${name} connection limit 9`)
  const { lines, database } = await start(url)
  expect(lines.filter(({ wanted }) => wanted !== undefined)).toMatchObject([{ level: 40, wanted: 19 }])
  const { main, side, streams } = database.health().pools
  expect(main.max + side.max + streams.max).toBeLessThan(9)
  const slow = { name: 'slow', text: 'select pg_sleep(0.01)' }
  await Promise.all([
    ...Array.from({ length: 40 }, () => database.query(slow, [])),
    ...Array.from({ length: 4 }, () => database.ping()),
    database.stream({ name: 'list', text: 'select 1' }, []).next(),
  ])
})

test('the connection budget has what a node wants, what the server has available, and what is left', () => {
  const facts = { roleLimit: undefined, roleUsed: 0, databaseLimit: undefined, databaseUsed: 0 }
  const server = { ...facts, max: 100, reserved: 3, used: 10 }
  expect(connectionBudget(server, databaseLimits)).toMatchObject({
    wanted: 19,
    available: 87,
    left: 68,
    isShort: false,
  })
  expect(connectionBudget({ ...server, roleLimit: 12, roleUsed: 4 }, databaseLimits)).toMatchObject({
    available: 8,
    isShort: true,
    limits: { connectionsMax: 5, sideConnectionsMax: 1, streamsMax: 1 },
  })
  for (let available = 0; available < 20; available += 1) {
    const { limits, left } = connectionBudget({ ...facts, max: available, reserved: 0, used: 0 }, databaseLimits)
    const { connectionsMax, sideConnectionsMax, streamsMax } = limits
    expect(Math.min(connectionsMax, sideConnectionsMax, streamsMax)).toBeGreaterThan(0)
    if (available >= 5) expect(connectionsMax + sideConnectionsMax + streamsMax + 1 + left).toBe(available)
  }
})

test('several hosts: Muster uses the first that accepts writes, and ignores an unreachable host', async () => {
  const { url } = await empty()
  const gone = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(gone, 'listening')
  onTestFinished(() => void gone.close())
  const { port } = gone.address() as AddressInfo
  const { host } = new URL(url)
  const both = `${url.replace(host, `127.0.0.1:${port},${host}`)}?target_session_attrs=read-write`
  const { database } = await start(both)
  expect(await database.query({ name: 'n', text: 'select 1 as n' }, [])).toEqual([{ n: 1 }])
})

test('several hosts: Muster skips a read-only host, and changes to the other host when the primary becomes read-only', async () => {
  const { url, admin, name } = await empty()
  const [first, second] = [await standbyWay(url), await standbyWay(url)]
  first.isReadOnly = true
  const { database, lines } = await start(url.replace(new URL(url).host, `${first.host},${second.host}`))
  const insert = () => database.query({ name: 'note', text: 'insert into note values (1)' }, [])
  await database.query({ name: 'table', text: 'create table note (id int)' }, [])
  await insert()
  expect(database.server.isReadOnly).toBe(false)
  expect(lines.filter(({ msg }) => msg.startsWith('another host'))).toEqual([])

  first.isReadOnly = false
  second.isReadOnly = true
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename <> $2', [
    name,
    'postgres',
  ])
  await expect.poll(() => insert().catch(() => undefined)).toEqual([])
  expect(lines.filter(({ msg }) => msg.startsWith('another host in DATABASE_URL now accepts writes'))).toHaveLength(1)
})

test('a data directory that cannot be created fails the start with one sentence', async () => {
  const log = createLog('silent')
  const started = openDatabase({ dataDir: '/proc/muster/data', mode: 'own', log })
  await expect(started).rejects.toBeInstanceOf(StartError)
  await expect(started).rejects.toThrow('/proc/muster/data cannot be created: fix it, or set MUSTER_DATA_DIR')
})

test('URLs with several hosts are parsed like in libpq', () => {
  expect(singleHostUrls('postgres://u:p@a:1,b/d?sslmode=require&target_session_attrs=read-write')).toEqual([
    'postgres://u:p@a:1/d?sslmode=require',
    'postgres://u:p@b/d?sslmode=require',
  ])
  expect(singleHostUrls('postgres://u:p@a/d?target_session_attrs=primary&x=1')).toEqual(['postgres://u:p@a/d?x=1'])
  expect(postgresUrlFault('postgres://u:p@a:1,b:2/d')).toBeUndefined()
  expect(postgresUrlFault('postgres://u:p@a:1,b:99999/d')).toContain('must be an address')
  expect(postgresUrlFault('postgres://u:p@a,b/d?target_session_attrs=standby')).toContain('Muster writes')
  expect(postgresUrlFault('mysql://u:p@a/d')).toContain('must be an address')
})
