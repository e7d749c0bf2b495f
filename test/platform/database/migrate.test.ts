import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'

import type { Database } from '../../../src/platform/database/database.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { migrationsFolder, schemaOf } from '../../../src/platform/database/schema.ts'
import { createLog } from '../../../src/platform/log.ts'
import { StartError } from '../../../src/platform/start-error.ts'
import { freshDatabase } from '../../support/database.ts'

const log = pino({ level: 'silent' })

async function emptyDatabase() {
  const fresh = await freshDatabase({ empty: true })
  onTestFinished(() => fresh.drop())
  return fresh
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

async function pendingMigrations(database: Database, folder: string) {
  return (await schemaOf(database, folder)).pending
}

async function texts(database: Database, text: string): Promise<string[]> {
  return (await database.query<{ text: string }>({ name: text.slice(0, 63), text }, [])).map((row) => row.text)
}

const three = {
  '001_note.sql': 'create table note (text text);',
  '002_first.sql': `insert into note values ('one; two');\n-- a comment\ninsert into note values ('three')`,
  '010_last.sql': `do $$ begin insert into note values ('four'); end $$;`,
}

test('runs each file once, by number, and ignores other files', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({ ...three, 'README.md': 'no migration', '.keep': '' })
  await mkdir(join(folder, 'old'))
  expect(await pendingMigrations(database, folder)).toEqual(['001_note', '002_first', '010_last'])
  expect(await migrate(database, folder, log)).toEqual(['001_note', '002_first', '010_last'])
  expect(await migrate(database, folder, log)).toEqual([])
  expect(await pendingMigrations(database, folder)).toEqual([])
  expect(await texts(database, 'select text from note')).toEqual(['one; two', 'three', 'four'])
})

test('does nothing for an empty folder', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({})
  expect(await migrate(database, folder, log)).toEqual([])
  expect(await pendingMigrations(database, folder)).toEqual([])
})

test('several nodes that start at the same time migrate once', async () => {
  const { url, database } = await emptyDatabase()
  expect(url).toContain('test_')
  const folder = await folderOf(three)
  const done = await Promise.all(Array.from({ length: 6 }, () => migrate(database, folder, log)))
  expect(done.filter((names) => names.length > 0)).toEqual([['001_note', '002_first', '010_last']])
  expect(await texts(database, 'select text from note')).toHaveLength(3)
})

test('rolls back and names a file that fails, and runs it once it is fixed', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({ ...three, '010_last.sql': `insert into note values ('half'); select 1 / 0;` })
  const failed = migrate(database, folder, log)
  await expect(failed).rejects.toBeInstanceOf(StartError)
  await expect(failed).rejects.toThrow(/010_last.*division by zero/)
  expect(await texts(database, 'select text from note')).toEqual(['one; two', 'three'])
  expect(await pendingMigrations(database, folder)).toEqual(['010_last'])

  await writeFile(join(folder, '010_last.sql'), three['010_last.sql'])
  expect(await migrate(database, folder, log)).toEqual(['010_last'])
})

test('repeats an interrupted migration from its start', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({ ...three, '010_last.sql': `insert into note values ('four'); select pg_sleep(60);` })
  const interrupted = migrate(database, folder, log)
  const sleeping = `select pg_terminate_backend(pid)::text as text from pg_stat_activity
                     where wait_event = 'PgSleep' and datname = current_database()`
  await Promise.all([
    expect(interrupted).rejects.toBeInstanceOf(StartError),
    expect.poll(() => texts(database, sleeping)).toEqual(['true']),
  ])
  expect(await texts(database, 'select text from note')).toEqual(['one; two', 'three'])
  await writeFile(join(folder, '010_last.sql'), three['010_last.sql'])
  expect(await migrate(database, folder, log)).toEqual(['010_last'])
})

test('rejects a new file whose number is below an applied one', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf(three)
  await migrate(database, folder, log)
  await writeFile(join(folder, '003_between.sql'), 'select 1')
  await expect(migrate(database, folder, log)).rejects.toThrow('003_between')
})

test('runs the real migrations on an empty database', async () => {
  const { database } = await emptyDatabase()
  const pending = await pendingMigrations(database, migrationsFolder())
  expect(await migrate(database, migrationsFolder(), log)).toEqual(pending)
})

/** A release with the first two files, and a database that a newer release has migrated. */
async function olderRelease(newer: string) {
  const { database } = await emptyDatabase()
  const { '010_last.sql': last, ...first } = three
  const compatibility = 'create table schema_compatibility (migration int primary key, works_with int not null);'
  const known = { ...first, '002_first.sql': `${three['002_first.sql']}; ${compatibility}` }
  await migrate(database, await folderOf({ ...known, '010_last.sql': `${last} ${newer}` }), log)
  const lines: { level: number; migrations?: string[] }[] = []
  const kept = createLog('info', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  return { database, folder: await folderOf(known), lines, log: kept }
}

test('uses a newer schema with a warning if each unknown migration declares that it works with this release', async () => {
  const { database, folder, lines, log } = await olderRelease('insert into schema_compatibility values (10, 2)')
  expect(await migrate(database, folder, log)).toEqual([])
  expect(lines).toMatchObject([{ level: 40, migrations: ['010_last'] }])
  expect(await schemaOf(database, folder)).toMatchObject({ version: 10, releaseVersion: 2, fault: undefined })
})

test.each([
  ['that declares not to work with this release', 'insert into schema_compatibility values (10, 3)'],
  ['without a declaration', ''],
])('rejects a newer schema and names the remedy, for a migration %s', async (_, newer) => {
  const { database, folder, log } = await olderRelease(newer)
  const refused = migrate(database, folder, log)
  await expect(refused).rejects.toBeInstanceOf(StartError)
  await expect(refused).rejects.toThrow(
    /^A newer release has migrated the database \(010_last\), and this release, which knows migrations up to 2, cannot use it: install the newer release/,
  )
})

test('rejects a schema that has diverged from this release, and migrates nothing', async () => {
  const { database, folder, log } = await olderRelease('insert into schema_compatibility values (10, 2)')
  await writeFile(join(folder, '003_other.sql'), 'select 1')
  await expect(migrate(database, folder, log)).rejects.toThrow(
    'lacks the migrations 003_other of this release and has 010_last',
  )
  expect(await pendingMigrations(database, folder)).toEqual(['003_other'])
})
