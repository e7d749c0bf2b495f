import { copyFile, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'
import { type Binaries, binariesIn, findBinaries } from './binaries.ts'
import type { Database } from './database.ts'
import { loadDump, verifyDump } from './dump/load-dump.ts'
import type { DumpEvents } from './dump/manifest.ts'
import { writeDump } from './dump/write-dump.ts'
import { startEmbedded } from './embedded.ts'
import { type Layout, layoutOf, makeDataDir } from './layout.ts'
import { type DatabaseOptions, openDatabase } from './open.ts'
import { livePostmaster } from './postmaster.ts'

export interface UpgradeOptions {
  readonly dataDir: string
  /** Where the programs of the old major version are: absolute. Not needed to finish an interrupted upgrade. */
  readonly programs?: string
  /** The folder of the migrations. */
  readonly folder: string
  /** The version of this release. */
  readonly release: string
  readonly log: Logger
  /** Runs one of the three steps with events for its progress. */
  readonly runStep: (step: UpgradeStep, work: (events: DumpEvents) => Promise<void>) => Promise<void>
}

export type UpgradeStep = 'dump' | 'verify' | 'load'

/**
 * Replaces the embedded cluster by one of this release's major version with the same rows: dumps it with the programs of its own version,
 * loads the dump into a new cluster beside it, and then exchanges the two. The old cluster stays in `postgres-<major>`. Until the exchange
 * nothing of it changes, and a killed upgrade can be repeated. Throws `StartError`.
 */
export async function upgradeEmbedded(options: UpgradeOptions): Promise<void> {
  const layout = layoutOf(options.dataDir)
  const from = await majorOf(layout.cluster)
  if (from === undefined) return finishExchange(layout)
  const to = findBinaries()
  if (from === to.major)
    throw new StartError(`The database is of PostgreSQL ${from} already: there is nothing to upgrade.`)
  const kept = keptCluster(layout, from)
  if (await isThere(kept)) throw new StartError(`${kept} of an earlier upgrade is in the way: move it away.`)
  const old = await oldBinaries(options.programs, from)
  const path = join(options.dataDir, 'postgres-upgrade.dump')
  await rm(path, { force: true })
  await removeUnfinished(layout, options.log)
  try {
    await options.runStep('dump', (events) => dumpOld(options, { binaries: old, path, events }))
    await options.runStep('verify', async (events) => void (await verifyDump(path, options.folder, events)))
    await options.runStep('load', (events) => loadNew(options, { layout, path, events }))
  } finally {
    await rm(path, { force: true })
  }
  await rename(layout.upgrading, layout.upgraded)
  await rename(layout.cluster, kept)
  await putInPlace(layout)
}

/** A killed upgrade may have left its server running, too. */
async function removeUnfinished({ upgrading, upgraded }: Layout, log: Logger): Promise<void> {
  if (await livePostmaster(layoutOf(upgrading).cluster)) {
    const server = await startEmbedded({ dataDir: upgrading, mode: 'join', log })
    await server.stop()
  }
  for (const dataDir of [upgrading, upgraded]) await rm(dataDir, { recursive: true, force: true })
}

async function dumpOld(
  { dataDir, folder, release, log }: UpgradeOptions,
  { binaries, path, events }: { readonly binaries: Binaries; readonly path: string; readonly events: DumpEvents },
): Promise<void> {
  await withServer({ dataDir, binaries, log }, async (database) => {
    await writeDump({ database, folder, path, release, ...events })
  })
}

/** The new cluster gets the same password, because the file with it stays. */
async function loadNew(
  { folder, log }: UpgradeOptions,
  { layout, path, events }: { readonly layout: Layout; readonly path: string; readonly events: DumpEvents },
): Promise<void> {
  const next = layoutOf(layout.upgrading)
  await makeDataDir(next)
  await copyFile(layout.passwordFile, next.passwordFile)
  await withServer({ dataDir: layout.upgrading, log }, (database) =>
    loadDump({ database, folder, path, log, ...events }),
  )
}

/** Owns the server, so that no service uses it meanwhile. */
async function withServer(
  options: Pick<DatabaseOptions, 'dataDir' | 'binaries' | 'log'>,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({ ...options, mode: 'own' })
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

/** The upgrade was killed between its two renames, or there was none. */
async function finishExchange(layout: Layout): Promise<void> {
  if (await isThere(layoutOf(layout.upgraded).cluster)) return putInPlace(layout)
  throw new StartError(`There is no database in ${layout.dataDir}.`)
}

async function putInPlace(layout: Layout): Promise<void> {
  await rename(layoutOf(layout.upgraded).cluster, layout.cluster)
  await rm(layout.upgraded, { recursive: true, force: true })
}

async function oldBinaries(programs: string | undefined, from: string): Promise<Binaries> {
  if (programs === undefined)
    throw new StartError(
      `The database is of PostgreSQL ${from}: name the folder of that version's programs (--programs). docs/backup.md says how to install them.`,
    )
  const binaries = await binariesIn(programs)
  if (binaries.major === from) return binaries
  throw new StartError(`${programs} has PostgreSQL ${binaries.major}, and the database is of PostgreSQL ${from}.`)
}

function keptCluster({ dataDir }: Layout, major: string): string {
  return join(dataDir, `postgres-${major}`)
}

/** Undefined where there is no cluster. */
async function majorOf(cluster: string): Promise<string | undefined> {
  if (!(await isThere(cluster))) return undefined
  return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
