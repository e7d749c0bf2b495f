import { appendFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appendErasures, erasuresFile, readErasures } from '../../src/identity/erasures-file.ts'
import { makeDataDir } from '../support/data-dir.ts'

const [one, two] = [
  { accountId: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', erasedAt: '2026-11-02T08:00:00Z' },
  { accountId: '0197b2a4-6d00-7cc3-98c4-dc0c0c073990', erasedAt: '2026-11-03T08:00:00Z' },
]

/** A directory that does not exist yet. */
async function folder(): Promise<string> {
  const { path, remove } = await makeDataDir()
  onTestFinished(remove)
  return join(path, 'made', 'later')
}

test('contains all appended lines, of one call or several, and is readable only by its owner', async () => {
  const dataDir = await folder()
  await appendErasures(dataDir, [one, two])
  await appendErasures(dataDir, [one])
  expect(await readErasures(dataDir)).toEqual([one, two, one])
  expect((await stat(erasuresFile(dataDir))).mode & 0o777).toBe(0o600)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
})

test('appending nothing creates no file, and a missing file reads as empty', async () => {
  const dataDir = await folder()
  await appendErasures(dataDir, [])
  await expect(stat(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await readErasures(dataDir)).toEqual([])
})

test('ignores a line that a crash truncated, and reads the following ones', async () => {
  const dataDir = await folder()
  await appendErasures(dataDir, [one])
  await appendFile(erasuresFile(dataDir), '{"accountId":"0197b2a4-6d00-7cc3-98c4-dc0c\n')
  await appendErasures(dataDir, [two])
  expect(await readErasures(dataDir)).toEqual([one, two])
})

test('throws if the file cannot be read: otherwise deleted accounts would come back unnoticed', async () => {
  const dataDir = await folder()
  await mkdir(erasuresFile(dataDir), { recursive: true })
  await expect(readErasures(dataDir)).rejects.toMatchObject({ code: 'EISDIR' })
})
