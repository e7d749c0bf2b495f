import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const log = pino({ level: 'silent' })

async function emptyDatabase() {
  const fresh = await freshDatabase({ empty: true, ownEvents: true })
  onTestFinished(() => fresh.drop())
  const admin = new Client(withoutOptions(fresh.adminUrl))
  await admin.connect()
  onTestFinished(() => admin.end())
  return { fresh, admin }
}

function withoutOptions(url: string): string {
  const plain = new URL(url)
  plain.searchParams.delete('options')
  return plain.href
}

async function migrated(url: string, schema?: string) {
  const database = await openDatabase({
    url: new Secret(url),
    ...(schema && { schema }),
    dataDir: '/',
    mode: 'own',
    log,
  })
  onTestFinished(() => database.close())
  await migrate(database, migrationsFolder(), log)
  return database
}

async function schemasWithObjects(admin: Client): Promise<readonly string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    select distinct n.nspname::text as name
    from pg_namespace n
    where n.nspname !~ '^(pg_|information_schema)'
      and (exists (select from pg_class where relnamespace = n.oid) or exists (select from pg_proc where pronamespace = n.oid))
    order by 1`)
  return rows.map(({ name }) => name)
}

test.each([undefined, 'accounts'])(
  'every object is in the configured schema, and none in public: %s',
  async (schema) => {
    const { fresh, admin } = await emptyDatabase()
    const database = await migrated(withoutOptions(fresh.url), schema)
    expect(await schemasWithObjects(admin)).toEqual([schema ?? 'muster'])
    await database.query({ name: '', text: 'insert into account default values' }, [])
    expect((await admin.query(`select from ${schema ?? 'muster'}.account`)).rowCount).toBe(1)
  },
)

test('ignores tables of an application with the same names, and a search path in the URL', async () => {
  const { fresh, admin } = await emptyDatabase()
  await admin.query(`create table account (id int); create table session (id int); create schema app;
    create function uuid_v7() returns text language sql return 'of the application'; grant usage on schema app to public`)
  const url = new URL(withoutOptions(fresh.url))
  url.searchParams.set('options', '-c search_path=app -c work_mem=8MB')
  const database = await migrated(url.href)
  const settings = await database.query(
    { name: '', text: `select current_setting('search_path') as path, current_setting('work_mem') as memory` },
    [],
  )
  expect(settings).toEqual([{ path: 'muster', memory: '8MB' }])
  await database.query({ name: '', text: 'insert into account default values' }, [])
  expect((await admin.query('select from public.account')).rowCount).toBe(0)
})

test('a database of an unpublished build is rejected with the remedy', async () => {
  const { fresh, admin } = await emptyDatabase()
  await admin.query('create table public.muster_migration (id serial, name text, run_on timestamp)')
  await expect(migrated(withoutOptions(fresh.url))).rejects.toThrow(
    'An unpublished build of Muster created this database, and this release cannot read it: export the users with that build',
  )
  expect(await schemasWithObjects(admin)).toEqual(['public'])
})

test('every function finds its tables with any search path of the caller, such as that of pg_restore --data-only', async () => {
  const { fresh, admin } = await emptyDatabase()
  await migrated(withoutOptions(fresh.url))
  await fill(fresh)
  await admin.query(`set search_path = ''`)
  await admin.query(
    `insert into muster.account (email, email_proved_at, email_proved_by) values ('b@example.com', now(), 'link')`,
  )
  await admin.query(`update muster.account set disabled_at = now() where email = 'b@example.com'`)
  await admin.query(`delete from muster.identity`)
  await admin.query(`insert into muster.role_grant values ('user', 'dns', 'edit')`)
  await admin.query(`update muster.organization set name = 'Other'`)
  await admin.query(`delete from muster.account`)
  const { rows } = await admin.query('select count(*)::int as events from muster.webhook_event')
  expect(rows[0]?.events).toBeGreaterThan(0)
})

const run = promisify(execFile)
const hasPrograms = await run('pg_restore', ['--version']).then(
  () => true,
  () => false,
)

// Older versions of pg_dump cannot dump a newer server.
const isReadable = async ({ sql }: FreshDatabase) => {
  const { stdout } = await run('pg_dump', ['--version'])
  const [row] = await sql<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  return Number(/(\d+)/.exec(stdout)?.[1]) >= Math.floor((row?.version ?? 0) / 10_000)
}

test.skipIf(!hasPrograms)(
  'pg_dump -n muster dumps all of Muster, and pg_restore --data-only restores it into a migrated database',
  async (context) => {
    const { fresh } = await emptyDatabase()
    if (!(await isReadable(fresh))) return context.skip()
    await migrated(withoutOptions(fresh.url))
    await fill(fresh)
    const target = await emptyDatabase()
    await migrated(withoutOptions(target.fresh.url))
    await target.admin.query(`truncate ${(await filledTables(target.fresh)).join(', ')} cascade`)
    const folder = await mkdtemp(join(tmpdir(), 'muster-restore-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'dump')
    await run('pg_dump', ['-n', 'muster', '-Fc', '-f', file, withoutOptions(fresh.adminUrl)])
    await run('pg_restore', ['--data-only', '--exit-on-error', '-d', withoutOptions(target.fresh.adminUrl), file])
    expect(await target.fresh.sql('select email from account')).toEqual([{ email: 'a@example.com' }])
  },
)

async function fill({ sql }: FreshDatabase): Promise<void> {
  await sql(`insert into webhook_endpoint (id, url, events, secret)
    values (gen_random_uuid(), 'https://example.com/', '{user.updated,user.deleted,organization.updated}', '')`)
  await sql(`with a as (insert into account (email, email_proved_at, email_proved_by) values ('a@example.com', now(), 'link') returning id)
    insert into identity select 'i', 's', id from a`)
  await sql(`insert into organization (name) values ('One')`)
}

async function filledTables({ sql }: FreshDatabase): Promise<readonly string[]> {
  const rows = await sql<{ name: string }>(
    `select format('muster.%I', tablename) as name from pg_tables where schemaname = 'muster'`,
  )
  return rows.map(({ name }) => name)
}
