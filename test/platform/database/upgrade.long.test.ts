import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type Binaries, binariesIn, findBinaries } from '../../../src/platform/database/binaries.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { migrationsFolder } from '../../../src/platform/database/schema.ts'
import { type UpgradeOptions, upgradeEmbedded } from '../../../src/platform/database/upgrade.ts'
import { installOldPostgres } from '../../support/old-postgres.ts'
import { contentOf } from '../../support/rows-and-schema.ts'

const log = pino({ level: 'silent' })
const events = { onManifest: () => undefined, onRows: () => undefined }

interface Cluster {
  readonly dataDir: string
  readonly binaries?: Binaries
}

/** All rows, after `statement`. */
async function contentIn(cluster: Cluster, statement = 'select 1'): Promise<Record<string, string>> {
  const database = await openDatabase({ ...cluster, mode: 'own', log, limits: { connectTimeoutMs: 20_000 } })
  try {
    await migrate(database, migrationsFolder(), log)
    const client = await database.connect()
    await client.query(statement)
    const sql = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows
    return await contentOf(sql).finally(() => client.end())
  } finally {
    await database.close()
  }
}

test('an embedded database of PostgreSQL 17 becomes one of 18 with the same rows, whatever interrupts it, and the old one stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'muster-upgrade-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await chmod(root, 0o711) // as root, PostgreSQL runs as another user
  const [programs = ''] = await installOldPostgres(join(root, 'programs'), ['17'])
  const binaries = await binariesIn(programs)
  expect(binaries.major).toBe('17')
  const dataDir = join(root, 'data')
  const old = { dataDir, binaries }
  const content = await contentIn(
    old,
    `insert into account (email) select n || '@example.com' from generate_series(1, 1000) n`,
  )
  const upgrade = (more: Partial<UpgradeOptions> = {}) =>
    upgradeEmbedded({
      dataDir,
      folder: migrationsFolder(),
      release: '1.2.3',
      log,
      runStep: (_, work) => work(events),
      ...more,
    })

  await expect(contentIn({ dataDir })).rejects.toThrow(
    /PostgreSQL 17, and this Muster contains PostgreSQL 18: run muster upgrade/,
  )
  await expect(upgrade()).rejects.toThrow(/PostgreSQL 17: name the folder/)
  await expect(upgrade({ programs: join(findBinaries().postgres, '..') })).rejects.toThrow(/has PostgreSQL 18/)
  await expect(upgrade({ programs: root })).rejects.toThrow(/no programs of PostgreSQL/)
  for (const interrupted of ['dump', 'verify', 'load'] as const) {
    const runStep: UpgradeOptions['runStep'] = async (step, work) => {
      await work(events)
      if (step === interrupted) throw new Error('interrupted')
    }
    await expect(upgrade({ programs, runStep })).rejects.toThrow('interrupted')
  }
  expect(await contentIn(old)).toEqual(content)

  await upgrade({ programs })
  expect(await contentIn({ dataDir })).toEqual(content)
  expect((await stat(join(dataDir, 'postgres-17', 'PG_VERSION'))).isFile()).toBe(true)
  await expect(stat(join(dataDir, 'postgres-upgrade'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(stat(join(dataDir, 'postgres-upgrade.dump'))).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(upgrade({ programs })).rejects.toThrow(/PostgreSQL 18 already/)

  // Between the two renames there is no cluster: a start must not make a new one.
  await mkdir(join(dataDir, 'postgres-upgrade'))
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres-upgrade', 'postgres'))
  await expect(contentIn({ dataDir })).rejects.toThrow(/was interrupted: run muster upgrade again/)
  await upgrade()
  expect(await contentIn({ dataDir })).toEqual(content)
})
