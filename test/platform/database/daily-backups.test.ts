import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { lastDailyBackup, openDailyBackups } from '../../../embedded/index.ts'
import { verifyBackup } from '../../../src/platform/database/backup/restore-backup.ts'
import { type DailyBackupContent, dailyBackupWriter } from '../../../src/platform/database/backup/write-backup.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { freshDatabase } from '../../support/database.ts'

async function backupsForTest(more: Partial<DailyBackupContent> = {}) {
  const fresh = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-daily-'))
  onTestFinished(async () => {
    await fresh.drop()
    await rm(dataDir, { recursive: true })
  })
  const write = dailyBackupWriter({
    database: fresh.database,
    encryptionKey: () => 'the key of the data directory',
    folder: migrationsFolder(),
    release: '1.2.3',
    ...more,
  })
  const log = pino({ level: 'silent' })
  const backups = openDailyBackups({ dataDir, hour: 3, kept: 2, write, now: Date.now, log })
  return { backups, dataDir, names: () => readdir(join(dataDir, 'backups')).catch(() => []) }
}

test('a daily backup can be restored, and contains the encryption key of the data directory', async () => {
  const { backups, dataDir } = await backupsForTest()
  await backups.makeIfDue()
  const { path = '' } = (await lastDailyBackup(dataDir)) ?? {}
  const nothing = () => undefined
  const manifest = await verifyBackup(path, migrationsFolder(), { onManifest: nothing, onRows: nothing })
  expect(manifest.encryptionKey).toBe('the key of the data directory')
})

test('a full disk leaves no file, and the status shows the error', async () => {
  const { backups, names } = await backupsForTest({ freeBytes: async () => 0 })
  await backups.makeIfDue()
  expect(await names()).toEqual([])
  expect((await backups.state()).failure).toMatchObject({ code: 'ENOSPC' })
})

test('a stop aborts the running backup and leaves no file', async () => {
  const stopping = new AbortController()
  const { backups, names } = await backupsForTest({
    encryptionKey: () => {
      stopping.abort()
      return undefined
    },
  })
  await backups.makeIfDue(stopping.signal)
  expect(await names()).toEqual([])
  expect((await backups.state()).failure).toBeUndefined()
})
