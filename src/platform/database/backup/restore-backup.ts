import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, DatabaseError } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Logger } from 'pino'
import type { Secret } from '../../secret.ts'
import { StartError } from '../../start-error.ts'
import { withoutIndexes, withoutTriggers } from '../bulk-load.ts'
import type { Database, Rows } from '../database.ts'
import { asProblem } from '../faults.ts'
import { migrate } from '../migrate.ts'
import { appliedMigrations, migrationsTable } from '../schema.ts'
import { type BackupReader, countRows, openBackupFile } from './backup-file.ts'
import { onConnection } from './connection.ts'
import { type BackupEvents, checkSchemaIsKnown, damagedBackup, type Manifest, type StoredTable } from './manifest.ts'
import { copySettings, copyTarget, type FoundTable, findTables } from './stored-tables.ts'

/** Verifies the whole file without a database. Throws `StartError` if the file is damaged or this release cannot restore it. */
export async function verifyBackup(
  path: string,
  folder: string,
  { passphrase, ...events }: BackupEvents & { readonly passphrase?: Secret | undefined },
): Promise<Manifest> {
  const reader = await openBackupFile(path, passphrase)
  try {
    await checkSchemaIsKnown(reader.manifest, folder)
    events.onManifest(reader.manifest)
    for (const { rows } of reader.manifest.tables) {
      let count = 0
      for await (const piece of counted(reader.rows(), events.onRows)) count += countRows(piece)
      if (count !== rows) throw damagedBackup(path)
    }
    await reader.verifyEnd()
    return reader.manifest
  } finally {
    reader.close()
  }
}

export interface RestoreOptions extends BackupEvents {
  readonly database: Database
  /** The folder of the migrations. */
  readonly folder: string
  readonly path: string
  readonly passphrase?: Secret | undefined
  readonly log: Logger
  /** Called in the transaction after all rows are loaded. If it rejects, nothing is restored. */
  readonly beforeCommit?: (rows: Rows) => Promise<void>
}

/**
 * Restores a backup into a database without data: migrates the database to the backup's schema, loads all rows in one transaction, and
 * applies newer migrations. An interrupted restore can be repeated, because the database has no data until the commit. Verifies the file
 * again while reading. Throws `StartError`.
 */
export async function restoreBackup({
  database,
  folder,
  path,
  passphrase,
  log,
  ...options
}: RestoreOptions): Promise<void> {
  const reader = await openBackupFile(path, passphrase)
  try {
    const { migrations } = reader.manifest
    await checkSchemaIsKnown(reader.manifest, folder)
    await checkSchemaIsNotNewer(database, migrations)
    await onConnection(database, (client) => checkHasNoData(client, folder))
    await migrate(database, folder, log, { through: migrations.at(-1) ?? '' })
    options.onManifest(reader.manifest)
    await onConnection(database, (client) => loadRows(client, reader, { folder, path, ...options }))
  } finally {
    reader.close()
  }
  await migrate(database, folder, log)
}

async function checkSchemaIsNotNewer(database: Database, migrations: readonly string[]): Promise<void> {
  const newer = (await appliedMigrations(database)).find((name) => !migrations.includes(name))
  if (newer !== undefined)
    throw new StartError(
      `The database has a newer schema (${newer}) than the backup: restore into a new, empty database. Nothing was changed.`,
    )
}

/**
 * Migrations insert rows too, such as the first roles. The same transaction also records the migration, so a row of any other transaction
 * is data.
 */
async function checkHasNoData(client: Client, folder: string): Promise<void> {
  const migrated = await client.query(`select from pg_class where oid = to_regclass('${migrationsTable}')`)
  if (migrated.rowCount === 0) return
  for (const { name } of await findTables(client, folder)) {
    const { rows } = await client.query<{ hasData: boolean }>(
      `select exists (select from ${client.escapeIdentifier(name)}
                      where xmin not in (select xmin from ${migrationsTable})) as "hasData"`,
    )
    if (rows[0]?.hasData)
      throw new StartError(
        `The database already has data (table ${name}): restore into a new, empty database. Nothing was changed.`,
      )
  }
}

type RowsOptions = Pick<RestoreOptions, 'folder' | 'path' | 'onRows' | 'beforeCommit'>

async function loadRows(client: Client, reader: BackupReader, options: RowsOptions): Promise<void> {
  const { folder, path, onRows, beforeCommit } = options
  const { manifest } = reader
  await client.query('begin')
  await client.query(copySettings)
  await client.query(`set local maintenance_work_mem = '256MB'`)
  await client.query(`lock table ${migrationsTable} in exclusive mode`)
  const tables = await findTables(client, folder)
  const names = tables.map(({ name }) => client.escapeIdentifier(name))
  checkSameTables(tables, manifest.tables)
  await withoutTriggers(client, names, () =>
    withoutIndexes(client, names, async () => {
      // Again under the locks, because a service may have started meanwhile.
      await checkHasNoData(client, folder)
      for (const name of names) await client.query(`delete from ${name}`)
      for (const table of manifest.tables) await copyRows(client, table, reader.rows(), onRows)
      await reader.verifyEnd()
    }),
  )
  for (const { name, lastValue, isCalled } of manifest.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [client.escapeIdentifier(name), lastValue, isCalled])
  await client.query(`analyze ${names.join(', ')}`)
  await beforeCommit?.(rowsOn(client))
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw damagedBackup(path)
}

/** The same migrations created both sets of tables, so they differ only if an operator changed a table by hand. */
function checkSameTables(actual: readonly FoundTable[], stored: readonly StoredTable[]): void {
  const shapeOf = ({ name, columns }: FoundTable) => `${name} (${[...columns].sort().join(', ')})`
  const [inDatabase, inBackup] = [new Set(actual.map(shapeOf)), new Set(stored.map(shapeOf))]
  const other =
    [...inBackup].find((shape) => !inDatabase.has(shape)) ?? [...inDatabase].find((shape) => !inBackup.has(shape))
  if (other !== undefined)
    throw new StartError(`The tables of the backup do not match its migrations: only one side has ${other}.`)
}

async function copyRows(
  client: Client,
  table: StoredTable,
  rows: AsyncIterable<Buffer>,
  onRows: (rows: number) => void,
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${copyTarget(client, table)} from stdin`))
  try {
    await pipeline(Readable.from(counted(rows, onRows)), copy)
  } catch (error) {
    if (!(error instanceof DatabaseError) || asProblem(error) !== error) throw error
    // Omits the error's detail, which quotes the row.
    const { code, message } = error
    throw new StartError(`The database rejected a row of ${table.name} (${code}: ${message}): nothing was restored.`)
  }
}

async function* counted(
  rows: AsyncIterable<Buffer>,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer, void, void> {
  for await (const piece of rows) {
    onRows(countRows(piece))
    yield piece
  }
}

function rowsOn(client: Client): Rows {
  return { query: async ({ text }, values) => (await client.query(text, [...values])).rows }
}
