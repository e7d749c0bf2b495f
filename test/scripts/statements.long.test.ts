import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrationNames, migrationsFolder } from '../../src/platform/database/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { type Release, unpreparable } from '../support/releases.ts'

test('scripts/statements.ts prints every named statement, and the schema of the sources can prepare each', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const program = ['--import', './scripts/statement-registry.mjs', 'scripts/statements.ts']
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd, maxBuffer: 2 ** 24 })
  const release: Release = JSON.parse(stdout)
  expect(release.migration).toBe((await migrationNames(migrationsFolder())).at(-1))
  // Of a module, of a function, in a table of statements, and made when it is needed.
  const names = Object.keys(release.statements)
  expect(names).toEqual(expect.arrayContaining(['user_data', 'plan_remove', 'role_grant', 'expired_sign_in_bucket']))
  for (const made of ['users_all_', 'users_count_', 'users_full_scan_'])
    expect(names.filter((name) => name.startsWith(made)).length, made).toBeGreaterThan(0)

  const fresh = await freshDatabase()
  onTestFinished(() => fresh.drop())
  const client = new Client(fresh.url)
  await client.connect()
  onTestFinished(() => client.end())
  expect(await unpreparable(client, release)).toEqual([])
})
