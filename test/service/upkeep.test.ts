import { Registry } from '@prometheus-io/client'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/platform/database/database.ts'
import { deleteOldRows, registerUpkeep, type UpkeepOptions, upkeepIfDue } from '../../src/service/upkeep.ts'
import { makeDataDir } from '../support/data-dir.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { newClient, startIssuer } from '../support/test-client.ts'

const keep = { auditDays: 400, refusalDays: 90, billingEventDays: 400, webhookDays: 30 }

async function databaseForTest(): Promise<FreshDatabase> {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  return fresh
}

async function optionsForTest(): Promise<UpkeepOptions> {
  const dataDir = await makeDataDir()
  onTestFinished(dataDir.remove)
  const log = pino({ level: 'silent' })
  return { erasure: { afterDays: 14, dataDir: dataDir.path, log }, retention: keep, log }
}

/** Events of these ages in days. */
const addEvents = ({ sql }: FreshDatabase, action: string, days: readonly number[]) =>
  sql(`insert into audit_event (action, at) select $1, now() - n * interval '1 day' from unnest($2::float8[]) n`, [
    action,
    days,
  ])

async function agesOf({ sql }: FreshDatabase, action: string): Promise<number[]> {
  const rows = await sql<{ days: number }>(
    `select round(extract(epoch from now() - at) / 86400)::int as days from audit_event where action = $1 order by 1`,
    [action],
  )
  return rows.map(({ days }) => days)
}

test('deletes rows older than their setting, separately for each kind; 0 keeps them forever', async () => {
  const fresh = await databaseForTest()
  const { sql, database } = fresh
  for (const action of ['session.opened', 'session.refused']) await addEvents(fresh, action, [1, 89, 91, 399, 401])
  for (const days of [399, 401])
    await sql(`insert into billing_event values ($1, 'x', null, now(), now() - make_interval(days => $2), true)`, [
      `evt_${days}`,
      days,
    ])
  for (const days of [30, 32])
    await sql(`insert into removed_identity (hash, removed_at) values ($1, now() - make_interval(days => $2))`, [
      String(days),
      days,
    ])
  for (const days of [29, 31])
    await sql(
      `insert into webhook_event (type, subject, data, at) values ('t', $1, '{}', now() - make_interval(days => $2))`,
      [String(days), days],
    )
  await deleteOldRows(database, { auditDays: 0, refusalDays: 0, billingEventDays: 0, webhookDays: 0 })
  expect(await agesOf(fresh, 'session.opened')).toEqual([1, 89, 91, 399, 401])
  expect(await agesOf(fresh, 'session.refused')).toEqual([1, 89, 91, 399, 401])
  await deleteOldRows(database, { ...keep, refusalDays: 0 })
  expect(await agesOf(fresh, 'session.opened')).toEqual([1, 89, 91, 399])
  expect(await agesOf(fresh, 'session.refused')).toEqual([1, 89, 91, 399, 401])
  await deleteOldRows(database, keep)
  expect(await agesOf(fresh, 'session.refused')).toEqual([1, 89])
  expect(await sql('select id from billing_event')).toEqual([{ id: 'evt_399' }])
  expect(await sql(`select encode(hash, 'escape') as hash from removed_identity`)).toEqual([{ hash: '30' }])
  expect(await sql('select subject from webhook_event')).toEqual([{ subject: '29' }])
  const registry = new Registry()
  registerUpkeep(registry, database)
  const metrics = (await registry.metrics()).split('\n')
  expect(metrics).toEqual(
    expect.arrayContaining([
      'muster_upkeep_deleted_rows{kind="audit_events"} 1',
      'muster_upkeep_deleted_rows{kind="refusals"} 3',
      'muster_upkeep_deleted_rows{kind="billing_events"} 1',
      'muster_upkeep_deleted_rows{kind="webhook_events"} 1',
      'muster_upkeep_deleted_rows{kind="removed_identities"} 1',
      'muster_upkeep_timestamp_seconds 0',
    ]),
  )
})

test('a run interrupted between two batches leaves complete batches, and the next run continues', async () => {
  const fresh = await databaseForTest()
  await fresh.sql(
    `insert into audit_event (action, at) select 'a.b', now() - interval '500 days' - n * interval '1 s' from generate_series(1, 2500) n`,
  )
  const stopping = new AbortController()
  const { database } = fresh
  let batches = 0
  // The process ends during the first batch.
  const dying = {
    ...database,
    query: async (...call: Parameters<typeof database.query>) => {
      batches += 1
      stopping.abort()
      return database.query<never>(...call)
    },
  }
  await deleteOldRows(dying, keep, stopping.signal)
  expect([batches, (await agesOf(fresh, 'a.b')).length]).toEqual([1, 1500])
  // The oldest rows were deleted first.
  expect(await fresh.sql(`select 1 from audit_event where at < now() - interval '500 days 1600 s'`)).toEqual([])
  await deleteOldRows(database, keep)
  expect(await agesOf(fresh, 'a.b')).toEqual([])
})

test('skips an old row that another transaction has locked, without waiting', async () => {
  const fresh = await databaseForTest()
  await addEvents(fresh, 'a.b', [500, 501])
  const writer = await fresh.database.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin')
  await writer.query(`update audit_event set details = '{"x": 1}' where at < now() - interval '500 days 12 hours'`)
  await deleteOldRows(fresh.database, keep)
  expect(await agesOf(fresh, 'a.b')).toEqual([501])
  await writer.query('commit')
  await deleteOldRows(fresh.database, keep)
  expect(await agesOf(fresh, 'a.b')).toEqual([])
})

test('finds every kind of old rows by index, in order', async () => {
  const { database } = await databaseForTest()
  const client = await database.connect()
  onTestFinished(() => client.end())
  await client.query(
    'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set plan_cache_mode = force_generic_plan',
  )
  const texts: string[] = []
  const listening: Database['query'] = async ({ text }) => {
    texts.push(text)
    return []
  }
  await deleteOldRows({ ...database, query: listening }, keep)
  const plans = []
  for (const [at, text] of texts.entries()) {
    await client.query(`prepare q${at} (int, int) as ${text}`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute q${at} (1, 1000)`)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  const indexes = [
    'audit_event_kept',
    'audit_event_of_action',
    'billing_event_received',
    'webhook_event_at',
    'removed_identity_age',
  ]
  for (const [at, plan] of plans.entries()) {
    expect(plan).toContain(`Index Scan using ${indexes[at]}`)
    expect(plan).not.toMatch(/\bSort\b/)
    // Rows are read by ctid: a join on their keys would read the whole table.
    expect(plan).toContain('Tid Scan on')
  }
  expect(plans).toHaveLength(5)
})

test('one node runs maintenance, and no node runs it again within ten minutes', async () => {
  const fresh = await databaseForTest()
  const { database, sql } = fresh
  const options = await optionsForTest()
  await addEvents(fresh, 'a.b', [500])
  const other = await database.connect()
  onTestFinished(() => other.end())
  await other.query(`insert into named_lock values ('upkeep')`)
  await other.query(`begin; select lock_name('upkeep')`)
  await upkeepIfDue(database, options)
  expect(await agesOf(fresh, 'a.b')).toEqual([500])
  await other.query('commit')
  await Promise.all([upkeepIfDue(database, options), upkeepIfDue(database, options)])
  expect(await agesOf(fresh, 'a.b')).toEqual([])
  await addEvents(fresh, 'a.b', [500])
  await upkeepIfDue(database, options)
  expect(await agesOf(fresh, 'a.b')).toEqual([500])
  await sql(`update upkeep set finished_at = finished_at - interval '10 minutes' where task = 'all'`)
  await upkeepIfDue(database, options)
  expect(await agesOf(fresh, 'a.b')).toEqual([])
})

test('does nothing if another node finished between the two checks', async () => {
  const fresh = await databaseForTest()
  await addEvents(fresh, 'a.b', [500])
  const overtaken: Database = {
    ...fresh.database,
    async connect() {
      await fresh.sql(`insert into upkeep (task, finished_at) values ('all', now())`)
      return fresh.database.connect()
    },
  }
  await upkeepIfDue(overtaken, await optionsForTest())
  expect(await agesOf(fresh, 'a.b')).toEqual([500])
})

test('deletes accounts that are due, and expired rows of the built-in issuer', async () => {
  const { database, sql } = await databaseForTest()
  await sql(`insert into account (email, disabled_at, erase_requested_at, erases_at) values
    ('due@example.com', now(), now(), now()), ('later@example.com', now(), now(), now() + interval '1 day')`)
  await sql(
    `insert into session (account_id, amr, expires_at) select id, '{pwd}', now() - interval '8 days' from account`,
  )
  await upkeepIfDue(database, await optionsForTest())
  expect(await sql('select email from account')).toEqual([{ email: 'later@example.com' }])
  expect(await sql('select 1 from session')).toEqual([])
})

test('stores rejections of one account and client within ten minutes as one event with a count', async () => {
  const service = await startIssuer()
  onTestFinished(() => service.stop())
  const [person, other] = [await service.person(), await service.person()]
  const [client, elsewhere] = [newClient(service), newClient(service)]
  const refuse = (email: string, from = client) => from.signIn(email, 'not the password')
  for (let attempt = 0; attempt < 3; attempt += 1) await refuse(person.email)
  await refuse(other.email)
  await refuse(person.email, elsewhere)
  for (const name of ['a', 'b']) await refuse(`${name}@example.com`)
  const events = () =>
    service.sql(`select target_id, address, details from audit_event where action = 'session.refused' order by at, id`)
  const seen = [
    { target_id: person.id, address: client.address, details: { count: 3 } },
    { target_id: other.id, address: client.address, details: {} },
    { target_id: person.id, address: elsewhere.address, details: {} },
    { target_id: null, address: client.address, details: { count: 2 } },
  ]
  expect(await events()).toEqual(seen)
  await service.sql(`update audit_event set at = at - interval '10 minutes'`)
  await refuse(person.email)
  expect(await events()).toEqual([...seen, { target_id: person.id, address: client.address, details: {} }])
})

test('deletes counters of windows that ended more than a day ago, and keeps the others', async () => {
  const { sql, database } = await databaseForTest()
  const hours = (count: number) => Date.now() - count * 3_600_000
  await sql('insert into rate_limit select * from unnest($1::text[], $2::int[], $3::bigint[])', [
    ['old', 'recent', 'open'],
    [1, 2, 3],
    [hours(25), hours(23), hours(-1)],
  ])
  await upkeepIfDue(database, await optionsForTest())
  expect(await sql('select key from rate_limit order by key')).toEqual([{ key: 'open' }, { key: 'recent' }])
})

test('deletes expired invitations to organizations with their emails, and keeps the others', async () => {
  const fresh = await databaseForTest()
  await fresh.sql(`
    with org as (insert into organization (name) values ('Engines') returning id)
    insert into invitation (organization_id, role_id, email, expires_at)
    select id, 'member', n || '@example.com', now() + make_interval(secs => n) from org, (values (-1), (3600)) t (n)`)
  await upkeepIfDue(fresh.database, await optionsForTest())
  expect(await fresh.sql('select email from invitation')).toEqual([{ email: '3600@example.com' }])
})
