import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrationNames, migrationsFolder, numberOf } from '../../../src/platform/database/schema.ts'
import { freshDatabase } from '../../support/database.ts'
import { type Release, unpreparable } from '../../support/releases.ts'

/** The first migration that declares compatible releases. Earlier ones may be edited until the first release. */
const first = 8

const folder = new URL('../../releases/', import.meta.url)
/** Every release, from the oldest to the newest. */
const releases = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name): Release => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  .sort((a, b) => numberOf(a.migration) - numberOf(b.migration))

async function migrated() {
  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const client = new Client(fresh.url)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query<{ migration: number; works_with: number }>('select * from schema_compatibility')
  return { client, fresh, declared: new Map(rows.map(({ migration, works_with }) => [migration, works_with])) }
}

test('every migration declares the oldest release that works with it, and none excludes the newest release', async () => {
  const { declared } = await migrated()
  const numbers = (await migrationNames(migrationsFolder())).map(numberOf).filter((number) => number >= first)
  expect([...declared.keys()].sort((one, other) => one - other)).toEqual(numbers)
  for (const name of await migrationNames(migrationsFolder()))
    if (numberOf(name) >= first)
      expect(await readFile(join(migrationsFolder(), `${name}.sql`), 'utf8'), name).toContain(
        `insert into schema_compatibility values (${numberOf(name)}, `,
      )
  const newest = releases.at(-1)
  if (newest) expect(Math.max(...declared.values())).toBeLessThanOrEqual(numberOf(newest.migration))
})

test('every statement of each compatible older release can be prepared on the new schema', async () => {
  const { client, declared } = await migrated()
  const oldest = Math.max(...declared.values())
  for (const release of releases.filter(({ migration }) => numberOf(migration) >= oldest))
    expect(await unpreparable(client, release), release.migration).toEqual([])
})

test('a statement whose column was removed is reported with the SQLSTATE', async () => {
  const { client, fresh } = await migrated()
  const statements = {
    kept: 'select id from account where email = $1',
    lost: 'select first_session from account where id = $1',
  }
  expect(await unpreparable(client, { migration: '066', statements })).toEqual([])
  await fresh.sql('alter table account drop column first_session cascade')
  expect(await unpreparable(client, { migration: '066', statements })).toEqual(['lost: 42703'])
})
