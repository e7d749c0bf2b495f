import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Client } from 'pg'
import { pino } from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { onConnection } from '../../../src/platform/database/backup/connection.ts'
import {
  type RestoreOptions,
  restoreBackup,
  verifyBackup,
} from '../../../src/platform/database/backup/restore-backup.ts'
import { type BackupOptions, writeBackup } from '../../../src/platform/database/backup/write-backup.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { migrationNames, migrationsFolder } from '../../../src/platform/database/schema.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { StartError } from '../../../src/platform/start-error.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { contentOf, schemaOf, tablesOf } from '../../support/rows-and-schema.ts'

const log = pino({ level: 'silent' })

async function databaseForTest(options?: { empty?: boolean }): Promise<FreshDatabase> {
  const fresh = await freshDatabase(options)
  onTestFinished(() => fresh.drop())
  return fresh
}

async function folderForTest(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function backupOf(source: FreshDatabase, folder = migrationsFolder()) {
  const path = join(await folderForTest(), 'test.backup')
  return { path, manifest: await backupTo(path, source, folder) }
}

function backupTo(
  path: string,
  { database }: FreshDatabase,
  folder = migrationsFolder(),
  more: Partial<BackupOptions> = {},
) {
  return writeBackup({ database, folder, path, release: '1.2.3', ...events, ...more })
}

const events = { onManifest: () => undefined, onRows: () => undefined }

function verified(path: string) {
  return verifyBackup(path, migrationsFolder(), events)
}

function restore({ database }: FreshDatabase, path: string, more: Partial<RestoreOptions> = {}): Promise<void> {
  return restoreBackup({ database, folder: migrationsFolder(), path, log, ...events, ...more })
}

/** Bytes of a backup with some accounts and members, which the tests change. */
let bytes: Buffer
let content: Record<string, string>
beforeAll(async () => {
  const source = await freshDatabase()
  await source.sql(`insert into account (email) select n || '@example.com' from generate_series(1, 1000) n`)
  await source.sql(`insert into organization (name) values ('One')`)
  await source.sql(
    `insert into membership (organization_id, account_id) select o.id, a.id from organization o, account a`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  const path = join(folder, 'test.backup')
  await backupTo(path, source)
  bytes = await readFile(path)
  content = await contentOf(source.sql)
  await rm(folder, { recursive: true })
  await source.drop()
})

async function fileOf(some: Buffer): Promise<string> {
  const path = join(await folderForTest(), 'changed.backup')
  await writeFile(path, some)
  return path
}

/** Changes the text of a backup and updates its hash. */
function rewritten(change: (text: string) => string): Buffer {
  const text = change(gunzipSync(bytes).toString()).replace(/sha256 .*\n$/, '')
  return gzipSync(`${text}sha256 ${createHash('sha256').update(text).digest('hex')}\n`)
}

test('a backup contains every table that the migrations create', async () => {
  const source = await databaseForTest()
  const { manifest } = await backupOf(source)
  expect(manifest.tables.map(({ name }) => name)).toEqual(await tablesOf(source.sql))
})

test('restoring into an empty database reproduces every row, constraint, index and trigger', async () => {
  const [target, migrated] = [await databaseForTest({ empty: true }), await databaseForTest()]
  await restore(target, await fileOf(bytes))
  expect(await contentOf(target.sql)).toEqual(content)
  expect(await schemaOf(target.sql)).toEqual(await schemaOf(migrated.sql))
})

test('a backup excludes tables of other applications in the same schema', async () => {
  const source = await databaseForTest()
  await source.sql('create table others (n int)')
  const { manifest } = await backupOf(source)
  expect(manifest.tables.map(({ name }) => name)).not.toContain('others')
})

test('a backup during writes contains one consistent snapshot', async () => {
  const [source, target] = [await databaseForTest(), await databaseForTest()]
  await source.sql(`insert into organization (name) values ('One')`)
  const insertPair = `with made as (insert into account default values returning id)
    insert into membership (organization_id, account_id) select o.id, made.id from organization o, made`
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const writing = (async () => {
    while (!isOver) await source.sql(insertPair)
  })()
  const { path } = await backupOf(source)
  isOver = true
  await writing
  await restore(target, path)
  const { account, membership } = await contentOf(target.sql)
  expect(account?.split(' ')[0]).toBe(membership?.split(' ')[0])
})

describe('a restore rejects a changed file and leaves the database unchanged', () => {
  test('with any byte changed, or truncated anywhere', async () => {
    const outcomes: unknown[] = []
    const verify = async (some: Buffer) => outcomes.push(await verified(await fileOf(some)).catch((error) => error))
    // The first 10 bytes are the gzip header, which does not affect the content.
    for (let at = 10; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      await verify(changed)
      await verify(bytes.subarray(0, at))
    }
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(StartError)
  })

  test('with a row that was changed between verification and restore, before the commit', async () => {
    const target = await databaseForTest()
    const changed = gzipSync(gunzipSync(bytes).toString().replace('\t17@example.com\t', '\t18@example.com\t'))
    await expect(restore(target, await fileOf(changed))).rejects.toThrow(/damaged/)
    await restore(target, await fileOf(bytes))
    expect(await contentOf(target.sql)).toEqual(content)
  })

  test.each([
    ['text', Buffer.from('Hello\n')],
    ['a gzip file of something else', gzipSync('Hello\n')],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_, other) => {
    await expect(verified(await fileOf(other))).rejects.toThrow(/is not a Muster backup/)
  })

  test('with a path that does not exist', async () => {
    await expect(verified('/nowhere/x.backup')).rejects.toThrow(/cannot be read \(ENOENT\)/)
  })

  test('with a value that PostgreSQL rejects, without quoting the row', async () => {
    const target = await databaseForTest()
    const path = await fileOf(
      rewritten((text) => text.replace(/\n[0-9a-f-]{36}\t17@example.com\t/, '\nno-id\t17@example.com\t')),
    )
    const refused = restore(target, path)
    await expect(refused).rejects.toThrow(/rejected a row of account \(22P02: .*nothing was restored/)
    await expect(refused).rejects.not.toThrow(/17@example/)
    await restore(target, await fileOf(bytes))
  })
})

test.each([
  [
    'a role for members that grants a permission of the service',
    'alter table role_grant drop constraint role_grant_needs_role_for_accounts',
    `insert into role_grant values ('owner', 'users', 'disable')`,
    /\(23503: .*role_grant_needs_role_for_accounts.*\): nothing was restored/,
  ],
  [
    'a plan that grants a permission of the service',
    'alter table plan_grant drop constraint plan_grant_is_not_for_the_service',
    `insert into plan_grant values ('free', 'users', 'list')`,
    /rejected a row of plan_grant \(23514: .*plan_grant_is_not_for_the_service.*nothing was restored/,
  ],
  [
    'a member with a role for accounts',
    'alter table membership drop constraint membership_has_role_for_members',
    `with a as (insert into account default values returning id), o as (insert into organization (name) values ('One') returning id)
     insert into membership select o.id, a.id, 'admin' from a, o`,
    /\(23503: .*membership_has_role_for_members.*\): nothing was restored/,
  ],
])(
  'a restore rejects %s that the source allowed after dropping the constraint',
  async (_, dropped, inserted, sentence) => {
    const source = await databaseForTest()
    await source.sql(dropped)
    await source.sql(inserted)
    const { path } = await backupOf(source)
    const target = await databaseForTest()
    const before = await contentOf(target.sql)
    const refused = restore(target, path)
    await expect(refused).rejects.toBeInstanceOf(StartError)
    await expect(refused).rejects.toThrow(sentence)
    expect(await contentOf(target.sql)).toEqual(before)
  },
)

describe('an incompatible schema is rejected before anything is changed', () => {
  test('a backup with a newer schema', async () => {
    const target = await databaseForTest({ empty: true })
    const path = await fileOf(rewritten((text) => text.replace('"migrations":[', '"migrations":["999_future",')))
    await expect(restore(target, path)).rejects.toThrow(/newer schema \(999_future, of Muster 1\.2\.3\)/)
    await expect(verified(path)).rejects.toThrow(/999_future/)
    expect(await tablesOf(target.sql)).toEqual([])
  })

  test('a backup with a newer format', async () => {
    const path = await fileOf(rewritten((text) => text.replace('"version":1', '"version":2')))
    await expect(verified(path)).rejects.toThrow(/made by a newer Muster \(1\.2\.3\)/)
  })

  test('a restore into a database with a newer schema than the backup', async () => {
    const source = await databaseForTest({ empty: true })
    await migrate(source.database, migrationsFolder(), log, { through: '006_mail' })
    const { path } = await backupOf(source)
    const target = await databaseForTest()
    await expect(restore(target, path)).rejects.toThrow(/newer schema \(007_audit_and_limits\) than the backup/)
  })

  test('a backup of a database that a newer Muster has migrated', async () => {
    const source = await databaseForTest()
    await source.sql(`insert into muster_migration (name, run_on) values ('999_future', now())`)
    await expect(backupOf(source)).rejects.toThrow(/newer Muster .*999_future/)
  })
})

test('a backup with an older schema is restored into that schema and then migrated', async () => {
  const source = await databaseForTest({ empty: true })
  await migrate(source.database, migrationsFolder(), log, { through: '006_mail' })
  await source.sql(`insert into account (email) values ('Ada@example.com')`)
  await source.sql(`insert into customer (id) values ('cus_1')`)
  await source.sql(`insert into subscription values ('sub_1', 'cus_1', '{price}', 'Pro', 'active', now(), now(), 0)`)
  const { path, manifest } = await backupOf(source)
  expect(manifest.migrations.at(-1)).toBe('006_mail')
  const [target, migrated] = [await databaseForTest({ empty: true }), await databaseForTest()]
  await restore(target, path)
  await migrate(source.database, migrationsFolder(), log)
  // Migrations created different random values in the two databases.
  const without = ({ keyring, rules_version, ...others }: Record<string, string>) => others
  expect(without(await contentOf(target.sql))).toEqual(without(await contentOf(source.sql)))
  expect(await schemaOf(target.sql)).toEqual(await schemaOf(migrated.sql))
})

test.each([
  ['an account', `insert into account (email) values ('first@example.com')`, 'account'],
  ['a role of the operator', `insert into role (id, name) values ('support', 'Support')`, 'role'],
  ['a changed plan', `update plan set name = 'Nothing'`, 'plan'],
])('a restore rejects a database with %s and leaves it unchanged', async (_, statement, table) => {
  const target = await databaseForTest()
  await target.sql(statement)
  const before = await contentOf(target.sql)
  await expect(restore(target, await fileOf(bytes))).rejects.toThrow(`already has data (table ${table})`)
  expect(await contentOf(target.sql)).toEqual(before)
})

test('an interrupted restore leaves no data, and repeating it restores everything', async () => {
  const target = await databaseForTest()
  const path = await fileOf(bytes)
  const beforeCommit = async () => {
    await target.sql(`select pg_terminate_backend(pid, 20000) from pg_locks
                      where relation = 'membership'::regclass and mode = 'AccessExclusiveLock' and pid <> pg_backend_pid()`)
  }
  await expect(restore(target, path, { beforeCommit: () => Promise.reject(new Error('killed')) })).rejects.toThrow(
    'killed',
  )
  await expect(restore(target, path, { beforeCommit })).rejects.toMatchObject({ code: 'database_unavailable' })
  const counts = await target.sql<{ n: string }>(
    'select count(*) as n from account union all select count(*) from membership',
  )
  expect(counts).toEqual([{ n: '0' }, { n: '0' }])
  await restore(target, path)
  expect(await contentOf(target.sql)).toEqual(content)
})

test('a connection that is lost between two statements throws database_unavailable', async () => {
  const { database, sql } = await databaseForTest()
  const work = async (client: Client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await Promise.all([once(client, 'error'), sql('select pg_terminate_backend($1)', [rows[0]?.pid])])
    await client.query('select 1')
  }
  await expect(onConnection(database, work)).rejects.toMatchObject({ code: 'database_unavailable' })
})

/** What future migrations may contain: circular references, sequences, triggers that write, and values that look like the format. */
const difficult = {
  '001_all.sql': `
create table person (id int generated always as identity primary key, chief int references person, home int, doubled int generated always as (id * 2) stored);
create table house (id serial primary key, owner int not null references person);
alter table person add constraint lives_in foreign key (home) references house;
create table note (text text, at timestamptz, of text[], raw bytea, number double precision, "order" jsonb);
create table log (text text);
create function write_log() returns trigger language plpgsql as $$ begin insert into log values (tg_table_name); return null; end $$;
create trigger person_logged after insert or delete on person for each statement execute function write_log();
create index note_text on note (text);`,
}

test('a restore preserves circular references, sequences, generated columns, triggers that write, and any text', async () => {
  const folder = await folderForTest(difficult)
  const [source, target] = [await databaseForTest({ empty: true }), await databaseForTest({ empty: true })]
  await migrate(source.database, folder, log)
  await source.sql('insert into person (chief) values (2), (null), (1)')
  await source.sql('insert into house (owner) values (3)')
  await source.sql('update person set home = 1')
  await source.sql(`insert into log values ('before')`)
  const texts = ['\\.', '\\.\n', '', '\t', '\\N', 'a\r\nb', '\n\\.\n', 'ž 光 \u{1f600}', '\u0001', null]
  for (const text of texts)
    await source.sql(`insert into note values ($1, 'infinity', $2, '\\x00ff0a', 0.1::float8 + 0.2, $3)`, [
      text,
      [text],
      JSON.stringify({ text }),
    ])
  const { path, manifest } = await backupOf(source, folder)
  expect(manifest.sequences.map(({ name }) => name)).toEqual(['house_id_seq', 'person_id_seq'])
  await restore(target, path, { folder })
  expect(await contentOf(target.sql)).toEqual(await contentOf(source.sql))
  expect(await schemaOf(target.sql)).toEqual(await schemaOf(source.sql))
  expect(await target.sql('insert into person default values returning id')).toEqual([{ id: 4 }])
  expect(await target.sql(`select count(*)::int as n from log where text = 'person'`)).toEqual([{ n: 2 }])
})

test('a backup is readable by its owner only, and never overwrites a file', async () => {
  const source = await databaseForTest()
  const { path } = await backupOf(source)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await expect(backupTo(path, source)).rejects.toThrow(/already exists/)
  await expect(backupTo('/nowhere/x.backup', source)).rejects.toThrow(/cannot be written \(ENOENT\)/)
})

test('the names of all migrations of this release are in the manifest', async () => {
  const path = await fileOf(bytes)
  expect((await verified(path)).migrations).toEqual(await migrationNames(migrationsFolder()))
})

describe('an encrypted backup', () => {
  const passphrase = new Secret('correct horse battery staple')

  test('restores with its passphrase only, and is rejected if any part was changed', async () => {
    const [source, target] = [await databaseForTest(), await databaseForTest()]
    await source.sql(`insert into account (email) values ('ada@example.com')`)
    const path = join(await folderForTest(), 'test.backup')
    await backupTo(path, source, migrationsFolder(), { passphrase })
    const made = await readFile(path)
    expect(() => gunzipSync(made)).toThrow()
    await expect(verified(path)).rejects.toThrow(/is encrypted: pass the file with its passphrase/)
    const verify = (some: string, wanted: Secret) =>
      verifyBackup(some, migrationsFolder(), { ...events, passphrase: wanted })
    await expect(verify(path, new Secret('another'))).rejects.toThrow(/passphrase of .* is wrong: nothing was restored/)
    for (const at of [30, made.length / 2, made.length - 1].map(Math.floor)) {
      const changed = Buffer.from(made)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await expect(verify(await fileOf(changed), passphrase)).rejects.toBeInstanceOf(StartError)
    }
    const cut = made.subarray(0, -1)
    await expect(verify(await fileOf(cut), passphrase)).rejects.toBeInstanceOf(StartError)
    await restore(target, path, { passphrase })
    expect(await contentOf(target.sql)).toEqual(await contentOf(source.sql))
  })
})

test('a backup does not start if the disk may be too full', async () => {
  const source = await databaseForTest()
  const path = join(await folderForTest(), 'test.backup')
  const full = { freeBytes: async () => 1_048_576 }
  await expect(backupTo(path, source, migrationsFolder(), full)).rejects.toThrow(
    /was not written: it needs \d+ MiB of free space, and there are 1 MiB\. Free some space, or choose another place\.$/,
  )
  await expect(stat(path)).rejects.toThrow()
})
