import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Statement } from '../../../src/platform/database/database.ts'
import { acquireMigrationLock, migrate } from '../../../src/platform/database/migrate.ts'
import { isRunningOnANode, lockStatement, runOnOneNode } from '../../../src/platform/database/named-locks.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { longLockWaits } from '../../support/blocked.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

async function databaseForTest(options: Parameters<typeof freshDatabase>[0] = {}): Promise<FreshDatabase> {
  const fresh = await freshDatabase({ limits: longLockWaits, ...options })
  onTestFinished(() => fresh.drop())
  return fresh
}

async function connectionTo({ database }: FreshDatabase): Promise<Client> {
  const client = await database.connect()
  onTestFinished(() => client.end())
  return client
}

const lock = lockStatement('test_lock', '$1::text')

/** Acquires the lock in a transaction, and reports when it holds it. */
function take({ database }: FreshDatabase, name: string, statement: Statement = lock) {
  let isHeld = false
  const ended = database.transaction(async (rows) => {
    await rows.query(statement, statement.text.includes('$1') ? [name] : [])
    isHeld = true
  })
  return { ended, isHeld: () => isHeld }
}

async function waiting({ sql }: FreshDatabase): Promise<number> {
  const rows = await sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
  )
  return rows.length
}

test('one transaction holds a name until it ends, while another transaction holds another name', async () => {
  const fresh = await databaseForTest()
  // The row exists before: otherwise a transaction would wait for the insert of the row instead of the lock.
  await take(fresh, 'one').ended
  const holder = await connectionTo(fresh)
  await holder.query(`begin; select lock_name('one')`)
  const other = lockStatement('test_lock_other', '$1::text')
  await take(fresh, 'two', other).ended
  const second = take(fresh, 'one')
  await expect.poll(() => waiting(fresh)).toBe(1)
  expect(second.isHeld()).toBe(false)
  await holder.query('rollback')
  await second.ended
  expect(second.isHeld()).toBe(true)
})

test('only one of many transactions holds a name whose row was lost in a crash', async () => {
  const fresh = await databaseForTest()
  await take(fresh, 'one').ended
  await fresh.sql('truncate named_lock')
  const holding: Client[] = []
  const clients = await Promise.all(Array.from({ length: 4 }, () => connectionTo(fresh)))
  const held = clients.map(async (client) => {
    await client.query(`begin; select lock_name('one')`)
    holding.push(client)
  })
  for (let others = clients.length - 1; others >= 0; others -= 1) {
    await expect.poll(async () => [holding.length, await waiting(fresh)]).toEqual([1, others])
    await holding.pop()?.query('commit')
  }
  await Promise.all(held)
})

test('runOnOneNode runs the work on one node, other nodes see that it runs, and the lock ends with the connection', async () => {
  const fresh = await databaseForTest()
  const { database } = fresh
  expect(await isRunningOnANode(database, 'upkeep')).toBe(false)
  let finish: (result: string) => void = () => undefined
  const first = runOnOneNode(
    database,
    'upkeep',
    () =>
      new Promise<string>((resolve) => {
        finish = resolve
      }),
  )
  await expect.poll(() => isRunningOnANode(database, 'upkeep')).toBe(true)
  expect(await isRunningOnANode(database, 'billingSync')).toBe(false)
  expect(await runOnOneNode(database, 'upkeep', async () => 'second')).toBeUndefined()
  expect(await runOnOneNode(database, 'billingSync', async () => 'another')).toBe('another')

  // Like a killed process.
  await fresh.sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`)
  await expect.poll(() => isRunningOnANode(database, 'upkeep')).toBe(false)
  expect(await runOnOneNode(database, 'upkeep', async () => 'third')).toBe('third')
  finish('first')
  expect(await first).toBe('first')
  expect(await isRunningOnANode(database, 'upkeep')).toBe(false)
})

const log = pino({ level: 'silent' })

test('nodes that start at the same time on an empty database get the migration lock one after the other', async () => {
  const fresh = await databaseForTest({ empty: true })
  const counts: number[] = []
  let holders = 0
  const hold = async (client: Client) => {
    const options = { schema: 'muster', waitMs: 60_000, onLost: () => undefined }
    const held = await acquireMigrationLock({ connect: async () => client }, options)
    holders += 1
    counts.push(holders)
    await client.query('select')
    holders -= 1
    await held.release()
  }
  for (let round = 0; round < 4; round++) {
    await fresh.sql('drop table if exists named_lock')
    // Connect first, so that all create the table at the same time.
    const clients = await Promise.all(Array.from({ length: 16 }, () => fresh.database.connect()))
    await Promise.all(clients.map(hold))
  }
  expect(counts).toEqual(Array(64).fill(1))
})

test('a node waits for the node that migrates, and then has nothing to do', async () => {
  const fresh = await databaseForTest({ empty: true })
  const first = await connectionTo(fresh)
  await first.query('create schema muster')
  await first.query('create unlogged table named_lock (name text primary key)')
  await first.query(`insert into named_lock values ('migration')`)
  await first.query(`begin; select from named_lock where name = 'migration' for update`)
  const migrated = migrate(fresh.database, migrationsFolder(), log)
  await expect.poll(() => waiting(fresh)).toBe(1)
  expect(await fresh.sql(`select to_regclass('account') as account`)).toEqual([{ account: null }])
  await first.query('commit')
  expect(await migrated).toContain('001_accounts')
})

test('a migration whose lock is lost is rolled back', async () => {
  const fresh = await databaseForTest({ empty: true })
  const folder = await mkdtemp(join(tmpdir(), 'muster-locks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, '001_slow.sql'), 'create table half (); select pg_sleep(60);')
  const migrated = migrate(fresh.database, folder, log)
  const killed = `select pg_terminate_backend(holder.pid) from pg_stat_activity holder, pg_stat_activity migrator
    where holder.datname = current_database() and holder.state = 'idle in transaction'
      and migrator.datname = current_database() and migrator.wait_event = 'PgSleep'`
  await Promise.all([
    expect(migrated).rejects.toThrow('The database could not be migrated'),
    expect.poll(() => fresh.sql(killed)).toHaveLength(1),
  ])
  expect(await fresh.sql(`select to_regclass('half') as half`)).toEqual([{ half: null }])
})

test('no function of the schema uses NOTIFY, temporary objects or advisory locks', async () => {
  const { sql } = await databaseForTest()
  const found = await sql<{ name: string }>(`
    select proname::text as name from pg_proc
    where pronamespace = current_schema()::regnamespace and prosrc ~* '\\m(listen|notify|pg_notify|temp|temporary)\\M|advisory'`)
  expect(found).toEqual([])
})
