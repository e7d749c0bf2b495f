import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { DatabaseError } from 'pg'
import type { Logger } from 'pino'

import { packageRoot } from '../package-root.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

export const migrationsTable = 'muster_migration'

/** How long a node waits for another one that is migrating, and a migration for a lock on a table in use. */
const lockTimeoutMs = 120_000

/**
 * Runs every `NNN_name.sql` of `folder` that has not run yet, in the order of the numbers, each in a transaction of its own. When several
 * nodes start at once, one of them migrates and the others wait. Returns the names of the files that ran; when there is none, the migrator
 * is not even loaded. Throws `StartError` when a file fails: the files before it remain applied, and the file itself is rolled back.
 */
export async function migrate(
  database: Database,
  folder: string,
  log: Logger,
  { through }: MigrateOptions = {},
): Promise<string[]> {
  const pending = await pendingMigrations(database, folder)
  const count = through === undefined ? pending.length : pending.indexOf(through) + 1
  if (count === 0) return []
  const { runner } = await import('node-pg-migrate')
  const client = await database.connect()
  try {
    refuseUnusable(await readServerFacts(client))
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    const done = await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: '(?!\\d+_.*\\.sql$).*',
      migrationsTable,
      direction: 'up',
      ...(through !== undefined && { count }),
      singleTransaction: false,
      advisoryLockMode: 'wait',
      logger: stepLogger(log),
    })
    for (const { name } of done) log.info({ migration: name }, 'migrated')
    return done.map(({ name }) => name)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(await explainFailure(database, folder, error), { cause: error })
  } finally {
    // Ends the session lock, and the transaction that a failed file left open.
    await client.end()
  }
}

/** Before the first statement: a file that fails halfway says less. */
function refuseUnusable({ isReadOnly, mayCreate, schema, role, database }: ServerFacts): void {
  if (isReadOnly)
    throw new StartError(
      `The database ${database} is read-only and has to be migrated: set DATABASE_URL to the primary, or end its read-only mode.`,
    )
  if (schema === undefined)
    throw new StartError(
      `No schema of the search_path of the role ${role} exists in the database ${database}: create one, or change the search_path.`,
    )
  if (!mayCreate)
    throw new StartError(
      `The role ${role} may not create tables or schemas in the database ${database}: as its owner, run: grant create on database ${database} to ${role}; grant create on schema ${schema} to ${role};`,
    )
}

export interface MigrateOptions {
  /** The name of the last file to run; all of them by default. */
  readonly through?: string
}

/** The names of the migrations that have not run, in their order. Changes nothing, not even in an empty database. */
export async function pendingMigrations(database: Database, folder: string): Promise<string[]> {
  const applied = new Set(await appliedMigrations(database))
  return (await migrationNames(folder)).filter((name) => !applied.has(name))
}

/** The names of the migrations that have run, in the order in which they ran: none in an empty database. */
export function appliedMigrations(database: Database): Promise<string[]> {
  return database.transaction(async (rows) => {
    const [table] = await rows.query<{ exists: boolean }>(migrationTableExists, [migrationsTable])
    const applied = table?.exists ? await rows.query<{ name: string }>(migrationsDone, []) : []
    return applied.map(({ name }) => name)
  })
}

/** `migrations/` of the package, from the sources and from `dist/`. */
export function migrationsFolder(): string {
  return join(packageRoot(), 'migrations')
}

const migrationTableExists = {
  name: 'migration-table-exists',
  text: 'select to_regclass($1) is not null as exists',
}
const migrationsDone = { name: 'migrations-done', text: `select name from ${migrationsTable} order by id` }

/** The names of all migrations of the folder, in their order. */
export async function migrationNames(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.*\.sql$/.test(file))
  return files
    .map((file) => file.slice(0, -'.sql'.length))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

/** The migrator's error does not name the file: it is the first one that still has not run. */
async function explainFailure(database: Database, folder: string, error: unknown): Promise<string> {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  if (!(error instanceof DatabaseError)) return `The database could not be migrated: ${reason}.`
  const [name] = await pendingMigrations(database, folder).catch(() => [])
  return `The database could not be migrated: ${name ?? 'a migration'} failed (${reason}) and was rolled back.`
}

/** The migrator logs every step, and each error that it throws; the log has one line for each file instead. */
function stepLogger(log: Logger) {
  const debug = (text: string) => log.debug(text)
  return { debug, info: debug, warn: debug, error: debug }
}
