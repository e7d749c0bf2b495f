import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restoreBackup } from '../../../src/platform/database/backup.ts'
import { startEmbedded } from '../../../src/platform/database/embedded.ts'
import { lastBackupSeconds } from '../../../src/platform/database/last-backup.ts'
import { clientConfig } from '../../../src/platform/database/link.ts'
import { StartError } from '../../../src/platform/start-error.ts'

const log = pino({ level: 'silent' })
const onCopied = () => undefined

async function started(dataDir: string) {
  const server = await startEmbedded({ dataDir, mode: 'own', log })
  const client = new Client(clientConfig(server.link))
  await client.connect()
  const close = async () => {
    await client.end()
    await server.stop()
  }
  return { client, close }
}

test('a backup beside a server that writes is a consistent state, verified by hash, and restored nowhere twice', async () => {
  const root = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [dataDir, folder, target] = [join(root, 'data'), join(root, 'backup'), join(root, 'restored')]
  const source = await started(dataDir)
  await writeFile(join(dataDir, 'encryption-key'), 'key', { mode: 0o600 })
  await source.client.query(
    'create table pair (a int, b int); insert into pair select n, -n from generate_series(1, 20000) n',
  )

  // Pairs are written all the while: in every consistent state a is -b, and the numbers have no gap.
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const writing = (async () => {
    for (let n = 20_001; !isOver; n += 1) await source.client.query('insert into pair values ($1, -$1::int)', [n])
  })()
  const before = await source.client.query<{ n: number }>('select max(a) as n from pair')
  expect(await lastBackupSeconds(dataDir)).toBe(0)
  const beganAt = Date.now() / 1_000
  await backUp({ dataDir, folder, log, onCopied })
  expect(await lastBackupSeconds(dataDir)).toBeGreaterThanOrEqual(beganAt)
  isOver = true
  await writing
  await expect(backUp({ dataDir, folder, log, onCopied })).rejects.toThrow(StartError)
  await source.close()

  await restoreBackup({ dataDir: target, folder, onCopied })
  expect(await readFile(join(target, 'encryption-key'), 'utf8')).toBe('key')
  const restored = await started(target)
  const { rows } = await restored.client.query<{ n: number; highest: number; odd: number }>(
    'select count(*)::int as n, max(a) as highest, count(*) filter (where a <> -b)::int as odd from pair',
  )
  expect(rows[0]?.odd).toBe(0)
  expect(rows[0]?.highest).toBe(rows[0]?.n)
  expect(rows[0]?.n).toBeGreaterThanOrEqual(before.rows[0]?.n ?? 0)
  await restored.close()

  await expect(restoreBackup({ dataDir: target, folder, onCopied })).rejects.toThrow(/already/)

  const elsewhere = join(root, 'elsewhere')
  await appendFile(join(folder, 'postgres/PG_VERSION'), '1')
  await expect(restoreBackup({ dataDir: elsewhere, folder, onCopied })).rejects.toThrow(/damaged: postgres\/PG_VERSION/)
  expect(await readdir(elsewhere)).toEqual([])
})

test('what is no backup, or leads out of its folder, is refused', async () => {
  const root = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const dataDir = join(root, 'data')
  await expect(restoreBackup({ dataDir, folder: root, onCopied })).rejects.toThrow(/is not a backup/)
  const file = { path: 'postgres/../../outside', bytes: 1, sha256: '' }
  await mkdir(join(root, 'evil'))
  const manifest = { format: 1, madeAt: '', postgres: '18', folders: [], files: [file] }
  await writeFile(join(root, 'evil', 'muster-backup.json'), JSON.stringify(manifest))
  await expect(restoreBackup({ dataDir, folder: join(root, 'evil'), onCopied })).rejects.toThrow(/damaged/)
  await expect(backUp({ dataDir, folder: join(root, 'new'), log, onCopied })).rejects.toThrow(/no database/)
})
