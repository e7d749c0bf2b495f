import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readErasures } from '../../src/identity/erasures-file.ts'
import { type UpkeepOptions, upkeepIfDue } from '../../src/service/upkeep.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const program = fileURLToPath(new URL('../support/upkeep-program.ts', import.meta.url))

const oldEvents = 2_500
const youngEvents = 300

/** Old and recent events, three accounts that are due and one that is not. */
async function seed({ sql }: FreshDatabase): Promise<void> {
  for (const [count, days] of [
    [oldEvents, 500],
    [youngEvents, 100],
  ])
    await sql(
      `insert into audit_event (action, at) select 'a.b', now() - make_interval(days => $2) - n * interval '1 s' from generate_series(1, $1) n`,
      [count, days],
    )
  await sql(`insert into account (email, disabled_at, erase_requested_at, erases_at)
    select n || '@example.com', now(), now(), case when n < 4 then now() - n * interval '1 hour' else now() + interval '1 day' end
    from generate_series(1, 4) n`)
  await sql(
    `insert into session (account_id, amr, expires_at) select id, '{pwd}', now() + interval '1 day' from account`,
  )
}

/** The service of a node that dies. Resolves when the database has noticed that the node is gone. */
async function runUntilKilled({ url, sql }: FreshDatabase, dataDir: string, moment: string): Promise<void> {
  const named = new URL(url)
  named.searchParams.set('application_name', 'dying')
  const child = spawn(process.execPath, [program, named.href, dataDir, moment], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  const connections = () =>
    sql(`select from pg_stat_activity where application_name = 'dying' and datname = current_database()`)
  await expect.poll(async () => (await connections()).length, { timeout: 60_000 }).toBe(0)
}

async function stateOf({ sql }: FreshDatabase, dataDir: string) {
  const [counts] = await sql<{ old: number; young: number; deleted: number }>(
    `select (select count(*)::int from audit_event where action = 'a.b' and at < now() - interval '400 days') as old,
            (select count(*)::int from audit_event where action = 'a.b' and at > now() - interval '400 days') as young,
            coalesce((select deleted::int from upkeep where task = 'audit_events'), 0) as deleted`,
  )
  const accounts = await sql<{ email: string }>(
    `select a.email from account a join session s on s.account_id = a.id order by a.email`,
  )
  const erased = await sql<{ id: string }>(`select account_id as id from erasure order by 1`)
  const recorded = await sql<{ id: string }>(
    `select target_id as id from audit_event where action = 'account.erased' order by target_id`,
  )
  const inFile = (await readErasures(dataDir)).map(({ accountId }) => accountId).sort()
  return { ...counts, accounts: accounts.map(({ email }) => email), erased, recorded, inFile }
}

test.each<[string, { readonly deleted?: number; readonly erasures: number; readonly lines: number }]>([
  ['between two batches', { deleted: 2_000, erasures: 3, lines: 3 }],
  ['while a batch runs', { erasures: 3, lines: 3 }],
  ['before an erasure is committed', { deleted: 0, erasures: 1, lines: 1 }],
  ['after an erasure, before its line in the file', { deleted: 0, erasures: 2, lines: 1 }],
])(
  'kill -9 during maintenance, %s: nothing is lost or done twice, and the next node continues',
  async (moment, expected) => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    const dataDir = await makeDataDir()
    onTestFinished(dataDir.remove)
    await seed(fresh)
    await runUntilKilled(fresh, dataDir.path, moment)

    const left = await stateOf(fresh, dataDir.path)
    // The counter changes in the same transaction as the deletion.
    expect((left.old ?? 0) + (left.deleted ?? 0)).toBe(oldEvents)
    if (expected.deleted !== undefined) expect(left.deleted).toBe(expected.deleted)
    expect((left.deleted ?? 1) % 1_000).toBe(0)
    expect(left.young).toBe(youngEvents)
    // An account either exists with its sessions, or is deleted and listed.
    expect(left.accounts).toHaveLength(4 - expected.erasures)
    expect(left.erased).toHaveLength(expected.erasures)
    expect(left.recorded).toEqual(left.erased)
    expect(left.inFile).toHaveLength(expected.lines)

    const log = pino({ level: 'silent' })
    const options: UpkeepOptions = {
      erasure: { afterDays: 14, dataDir: dataDir.path, log },
      retention: { auditDays: 400, refusalDays: 90, billingEventDays: 400, webhookDays: 0 },
      log,
    }
    await upkeepIfDue(fresh.database, options)
    const done = await stateOf(fresh, dataDir.path)
    expect(done).toMatchObject({ old: 0, young: youngEvents, deleted: oldEvents, accounts: ['4@example.com'] })
    expect(done.erased).toHaveLength(3)
    expect(done.recorded).toEqual(done.erased)
    expect(done.inFile).toEqual(done.erased.map(({ id }) => id))
    await fresh.sql(`update upkeep set finished_at = finished_at - interval '10 minutes' where task = 'all'`)
    await upkeepIfDue(fresh.database, options)
    expect(await stateOf(fresh, dataDir.path)).toEqual(done)
  },
)
