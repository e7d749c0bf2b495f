import { rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { errorCode } from '../../error-code.ts'
import type { Secret } from '../../secret.ts'
import { StartError } from '../../start-error.ts'
import type { Database } from '../database.ts'
import { appliedMigrations, migrationNames, migrationsTable } from '../schema.ts'
import { backupLines, countRows, writeBackupFile } from './backup-file.ts'
import { onConnection } from './connection.ts'
import { type BackupEvents, backupVersion, type Manifest, type StoredTable } from './manifest.ts'
import { copySettings, copyTarget, type FoundTable, findTables, readSequences } from './stored-tables.ts'

export interface BackupOptions extends BackupEvents {
  readonly database: Database
  /** The folder of the migrations. */
  readonly folder: string
  /** Path of the new file, which is complete or does not exist. */
  readonly path: string
  /** The version of this release. */
  readonly release: string
  /** Stored in the file. */
  readonly encryptionKey?: string | undefined
  readonly passphrase?: Secret | undefined
  /** Limits the speed, so that a running service stays fast. */
  readonly bytesPerSecondMax?: number
  readonly signal?: AbortSignal
  /** Free space on the disk of a folder. Replaced in tests. */
  readonly freeBytes?: (folder: string) => Promise<number>
}

/**
 * Writes all rows of Muster's tables to a file, from one snapshot, while the service keeps running. Any server with the same migrations
 * can restore it. Throws `StartError`.
 */
export async function writeBackup({ database, folder, path, ...options }: BackupOptions): Promise<Manifest> {
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} already exists: choose a new file.`)
  await checkSchema(database, folder)
  await checkDiskSpace(database, path, options.freeBytes ?? freeBytesOf)
  const draft = `${path}.unfinished`
  try {
    await rm(draft, { force: true })
    return await onConnection(database, async (client) => {
      await beginSnapshot(client, folder)
      const manifest = await makeManifest(client, folder, options)
      options.onManifest(manifest)
      const content = contentOf(client, manifest, options)
      await writeBackupFile(draft, slowedDown(content, options), options.passphrase)
      await rename(draft, path)
      return manifest
    })
  } catch (error) {
    await rm(draft, { force: true })
    throw explainFileError(error, path)
  }
}

export interface DailyBackupContent extends Pick<BackupOptions, 'database' | 'folder' | 'release' | 'freeBytes'> {
  /** Called for each backup: on the first start, the key does not exist yet. */
  readonly encryptionKey: () => string | undefined
}

/** Writes the daily backups of the embedded database, slowly enough for the running service (measured in docs/backup.md). */
export function dailyBackupWriter({ encryptionKey, ...content }: DailyBackupContent) {
  return (path: string, signal: AbortSignal | undefined) =>
    writeBackup({
      ...content,
      path,
      bytesPerSecondMax: 1_000_000,
      encryptionKey: encryptionKey(),
      onManifest: () => undefined,
      onRows: () => undefined,
      ...(signal && { signal }),
    })
}

async function checkSchema(database: Database, folder: string): Promise<void> {
  const applied = await appliedMigrations(database)
  const known = await migrationNames(folder)
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `A newer Muster changed the schema of this database (${unknown}): back it up with that release.`,
    )
  if (applied.length === 0) throw new StartError('The database is empty: there is nothing to back up.')
}

/**
 * Locks the tables before the snapshot, which starts with the first query. Otherwise a migration could rewrite a table in between, and
 * the table would look empty.
 */
async function beginSnapshot(client: Client, folder: string): Promise<void> {
  const names = (await findTables(client, folder)).map(({ name }) => client.escapeIdentifier(name))
  await client.query('begin isolation level repeatable read, read only')
  await client.query(copySettings)
  await client.query(`lock table ${[migrationsTable, ...names].join(', ')} in access share mode`)
}

type Content = Pick<BackupOptions, 'release' | 'encryptionKey' | 'onRows' | 'signal'>

async function makeManifest(
  client: Client,
  folder: string,
  { release, encryptionKey, signal }: Content,
): Promise<Manifest> {
  const applied = await client.query<{ name: string }>(`select name from ${migrationsTable} order by id`)
  const found = await findTables(client, folder)
  const tables: StoredTable[] = []
  for (const table of found) {
    signal?.throwIfAborted()
    tables.push({ ...table, columns: [...table.columns], rows: await countOf(client, table) })
  }
  const server = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    format: 'muster-backup',
    version: backupVersion,
    madeAt: new Date().toISOString(),
    muster: release,
    postgres: server.rows[0]?.version ?? '',
    migrations: applied.rows.map(({ name }) => name),
    tables,
    sequences: await readSequences(client, found),
    ...(encryptionKey !== undefined && { encryptionKey }),
  }
}

async function countOf(client: Client, { name }: FoundTable): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${client.escapeIdentifier(name)}`)
  return Number(rows[0]?.count)
}

async function* contentOf(
  client: Client,
  manifest: Manifest,
  { onRows, signal }: Content,
): AsyncGenerator<Buffer, void, void> {
  yield backupLines.manifest(manifest)
  for (const table of manifest.tables) {
    let count = 0
    const copy: AsyncIterable<Buffer> = client.query(copyTo(`copy ${copyTarget(client, table)} to stdout`))
    for await (const piece of copy) {
      const rows = countRows(piece)
      count += rows
      onRows(rows)
      signal?.throwIfAborted()
      yield piece
    }
    if (count !== table.rows)
      throw new Error(`One snapshot returned both ${table.rows} and ${count} rows of ${table.name}.`)
    yield backupLines.endOfRows
  }
}

/** Compressing this many bytes takes a fraction of a millisecond, so that no request waits longer for it. */
const slowPieceBytes = 8_192

/** The same bytes, in small pieces and at most at this speed, if it is limited. */
async function* slowedDown(
  content: AsyncIterable<Buffer>,
  { bytesPerSecondMax, signal }: Pick<BackupOptions, 'bytesPerSecondMax' | 'signal'>,
): AsyncGenerator<Buffer, void, void> {
  if (bytesPerSecondMax === undefined) return yield* content
  const startedAt = performance.now()
  let bytes = 0
  for await (const piece of content)
    for (let from = 0; from < piece.length; from += slowPieceBytes) {
      const part = piece.subarray(from, from + slowPieceBytes)
      yield part
      bytes += part.length
      const aheadMs = (bytes / bytesPerSecondMax) * 1_000 - (performance.now() - startedAt)
      if (aheadMs > 1) await setTimeout(aheadMs, undefined, signal && { signal })
    }
}

/** A backup is compressed and has no indexes, so it never needs more than half the size of the database. */
async function checkDiskSpace(
  database: Database,
  path: string,
  freeBytes: (folder: string) => Promise<number>,
): Promise<void> {
  const [row] = await database.query<{ bytes: string }>(sizeStatement, [])
  const needed = Number(row?.bytes) / 2
  const free = await freeBytes(dirname(path)).catch((error: unknown) => {
    throw explainFileError(error, path)
  })
  if (free < needed)
    throw new StartError(
      `${path} was not written: it needs ${mebibytes(needed)} of free space, and there are ${mebibytes(free)}. Free some space, or choose another place.`,
      { cause: Object.assign(new Error('The disk is too full.'), { code: 'ENOSPC' }) },
    )
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`

const sizeStatement = { name: 'backup_size', text: 'select pg_database_size(current_database())::text as bytes' }

function explainFileError(error: unknown, path: string): unknown {
  const code = errorCode(error) ?? ''
  if (!codesOfFiles.has(code)) return error
  return new StartError(`${path} cannot be written (${code}): choose another place, or free some space.`, {
    cause: error,
  })
}

const codesOfFiles: ReadonlySet<string> = new Set(
  'EACCES EDQUOT EFBIG EIO EISDIR ENOENT ENOSPC ENOTDIR EPERM EROFS'.split(' '),
)
