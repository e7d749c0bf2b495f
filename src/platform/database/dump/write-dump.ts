import { rename, rm, stat } from 'node:fs/promises'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { errorCode } from '../../error-code.ts'
import { StartError } from '../../start-error.ts'
import type { Database } from '../database.ts'
import { appliedMigrations, migrationNames, migrationsTable } from '../schema.ts'
import { inConnection } from './connection.ts'
import { countRows, lines, writeDumpFile } from './dump-file.ts'
import { copySettings, copyTarget, type FoundTable, findTables, readSequences } from './dumped-tables.ts'
import { type DumpEvents, type DumpedTable, dumpVersion, type Manifest } from './manifest.ts'

export interface DumpOptions extends DumpEvents {
  readonly database: Database
  /** The folder of the migrations. */
  readonly folder: string
  /** The new file. It is complete or does not exist. */
  readonly path: string
  /** The version of this release. */
  readonly release: string
}

/**
 * Writes every row of Muster's tables to a file, as of one moment, while the service goes on working. The file has no part of the
 * server in it: any server with the same migrations can load it. Throws `StartError`.
 */
export async function writeDump({ database, folder, path, ...options }: DumpOptions): Promise<Manifest> {
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} exists already: name a new file.`)
  await refuseOtherSchema(database, folder)
  const draft = `${path}.unfinished`
  try {
    await rm(draft, { force: true })
    return await inConnection(database, async (client) => {
      await beginSnapshot(client, folder)
      const manifest = await makeManifest(client, folder, options.release)
      options.onManifest(manifest)
      await writeDumpFile(draft, contentOf(client, manifest, options.onRows))
      await rename(draft, path)
      return manifest
    })
  } catch (error) {
    await rm(draft, { force: true })
    throw explainFileError(error, path)
  }
}

async function refuseOtherSchema(database: Database, folder: string): Promise<void> {
  const applied = await appliedMigrations(database)
  const known = await migrationNames(folder)
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new StartError(`A newer Muster changed the schema of this database (${unknown}): dump it with that release.`)
  if (applied.length === 0) throw new StartError('The database is empty: there is nothing to dump.')
}

/**
 * The locks come before the snapshot, which begins with the first query: a migration that rewrites a table between the two
 * would make it look empty.
 */
async function beginSnapshot(client: Client, folder: string): Promise<void> {
  const names = (await findTables(client, folder)).map(({ name }) => client.escapeIdentifier(name))
  await client.query('begin isolation level repeatable read, read only')
  await client.query(copySettings)
  await client.query(`lock table ${[migrationsTable, ...names].join(', ')} in access share mode`)
}

async function makeManifest(client: Client, folder: string, release: string): Promise<Manifest> {
  const applied = await client.query<{ name: string }>(`select name from ${migrationsTable} order by id`)
  const found = await findTables(client, folder)
  const tables: DumpedTable[] = []
  for (const table of found) tables.push({ ...table, columns: [...table.columns], rows: await countOf(client, table) })
  const server = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    format: 'muster-dump',
    version: dumpVersion,
    madeAt: new Date().toISOString(),
    muster: release,
    postgres: server.rows[0]?.version ?? '',
    migrations: applied.rows.map(({ name }) => name),
    tables,
    sequences: await readSequences(client, found),
  }
}

async function countOf(client: Client, { name }: FoundTable): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${client.escapeIdentifier(name)}`)
  return Number(rows[0]?.count)
}

async function* contentOf(
  client: Client,
  manifest: Manifest,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer, void, void> {
  yield lines.manifest(manifest)
  for (const table of manifest.tables) {
    let count = 0
    const copy: AsyncIterable<Buffer> = client.query(copyTo(`copy ${copyTarget(client, table)} to stdout`))
    for await (const piece of copy) {
      const rows = countRows(piece)
      count += rows
      onRows(rows)
      yield piece
    }
    if (count !== table.rows) throw new Error(`One snapshot showed ${table.rows} and ${count} rows of ${table.name}.`)
    yield lines.endOfRows
  }
}

function explainFileError(error: unknown, path: string): unknown {
  const code = errorCode(error) ?? ''
  if (!codesOfFiles.has(code)) return error
  return new StartError(`${path} cannot be written (${code}): name another place, or free space.`, { cause: error })
}

const codesOfFiles: ReadonlySet<string> = new Set(
  'EACCES EDQUOT EFBIG EIO EISDIR ENOENT ENOSPC ENOTDIR EPERM EROFS'.split(' '),
)
