import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type DailyBackupOptions, openDailyBackups } from '../daily-backups.ts'

/** At 02:00 UTC, with the backup due at 03:00. */
async function backupsForTest(write: DailyBackupOptions['write'] = (path) => writeFile(path, '')) {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-daily-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  let now = Date.parse('2026-11-20T02:00:00Z')
  const backups = openDailyBackups({
    dataDir,
    hour: 3,
    kept: 2,
    write,
    now: () => now,
    log: pino({ level: 'silent' }),
  })
  return {
    backups,
    dataDir,
    names: () => readdir(join(dataDir, 'backups')).catch(() => []),
    async afterHours(hours: number) {
      now += hours * 3_600_000
      await backups.makeIfDue()
    },
  }
}

test('makes one backup a day after its hour, removes unfinished files, and keeps the newest backups', async () => {
  const { backups, dataDir, names, afterHours } = await backupsForTest()
  await afterHours(0)
  await afterHours(0.5)
  expect(await names()).toEqual(['muster-2026-11-20T02-00-00Z.backup'])
  await writeFile(join(dataDir, 'backups', 'muster-2026-11-20T02-30-00Z.backup.unfinished'), 'x')
  await afterHours(0.5)
  await afterHours(1)
  expect(await names()).toEqual(['muster-2026-11-20T02-00-00Z.backup', 'muster-2026-11-20T03-00-00Z.backup'])
  await afterHours(24)
  expect(await names()).toEqual(['muster-2026-11-20T03-00-00Z.backup', 'muster-2026-11-21T04-00-00Z.backup'])
  expect(await backups.state()).toEqual({
    lastAt: new Date('2026-11-21T04:00:00Z'),
    nextAt: new Date('2026-11-22T03:00:00Z'),
    failure: undefined,
  })
})

test('a full disk keeps the earlier backups, reports the failure, and is retried after an hour', async () => {
  let isFull = false
  const { backups, names, afterHours } = await backupsForTest(async (path) => {
    if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    await writeFile(path, '')
  })
  await afterHours(0)
  isFull = true
  await afterHours(1)
  const before = await names()
  expect(before).toEqual(['muster-2026-11-20T02-00-00Z.backup'])
  expect((await backups.state()).failure).toEqual({ at: new Date('2026-11-20T03:00:00Z'), code: 'ENOSPC' })
  isFull = false
  await afterHours(0.5)
  expect(await names()).toEqual(before)
  await afterHours(0.5)
  expect(await names()).toHaveLength(2)
  expect((await backups.state()).failure).toBeUndefined()
})
