import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeImportFile } from '../../bench/harness/import-file.ts'
import { importedState, rejectedOf, runImport } from '../../bench/harness/import-run.ts'
import { freshDatabase } from '../support/database.ts'

const lines = 20_000
const kills = 6

test('an import that is killed and restarted several times has the same result as an uninterrupted import', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-import-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'users.jsonl')
  const expected = await writeImportFile(path, lines)

  const importInto = async (places: readonly number[]) => {
    const fresh = await freshDatabase()
    onTestFinished(() => fresh.drop())
    for (const place of places) expect((await runImport(path, fresh.url, place)).isKilled).toBe(true)
    expect(await runImport(path, fresh.url)).toMatchObject({ code: 1, stderr: expect.stringContaining(path) })
    expect(await rejectedOf(path)).toEqual(expected.bad)
    const client = await fresh.database.connect()
    const state = await importedState(client)
    await client.end()
    return state
  }

  const whole = await importInto([])
  expect(whole).toMatchObject({ users: expected.good, accounts: expected.good, sum: expected.sum })
  const broken = await importInto(Array.from({ length: kills }, () => 0.95 * Math.random()))
  expect(broken).toEqual(whole)
})
