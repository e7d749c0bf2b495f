import { DatabaseError } from 'pg'
import type { Logger } from 'pino'

import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { holdMigrations } from './migration-lock.ts'
import { migrationNames, migrationsTable, newerSchema, readSchema, type SchemaState } from './schema.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

/** How long a node waits for another one that is migrating, and a migration for a lock on a table in use. */
const lockTimeoutMs = 120_000

/**
 * Runs every `NNN_name.sql` of `folder` that has not run yet, in the order of the numbers, each in a transaction of its own. When several
 * nodes start at once, one of them migrates and the others wait. Returns the names of the files that ran; when there is none, the migrator
 * is not even loaded. Throws `StartError` when a file fails: the files before it remain applied, and the file itself is rolled back; and
 * when a newer release has migrated the database and this one cannot work with it.
 */
export async function migrate(
  database: Database,
  folder: string,
  log: Logger,
  { through }: MigrateOptions = {},
): Promise<string[]> {
  const { pending, ahead, fault } = await schemaOf(database, folder)
  if (fault !== undefined) throw new StartError(fault)
  if (ahead.length > 0) log.warn({ migrations: ahead }, newerSchema)
  const count = through === undefined ? pending.length : pending.indexOf(through) + 1
  if (count === 0) return []
  const { runner } = await import('node-pg-migrate')
  const client = await database.connect()
  try {
    const facts = await readServerFacts(client)
    refuseUnusable(facts)
    const { schema } = facts
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    // A migration warns about each row that it changes because of a new rule. SQLSTATE class 01: notices of other classes are routine.
    client.on('notice', ({ code, message }) => {
      if (code?.startsWith('01')) log.warn(message)
    })
    // Without the lock nothing goes on: the transaction that is open ends with the connection.
    const onLost = () => void client.end()
    const lock = await holdMigrations(database, { schema, waitMs: lockTimeoutMs, onLost })
    const done = await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: '(?!\\d+_.*\\.sql$).*',
      migrationsTable,
      schema,
      migrationsSchema: schema,
      direction: 'up',
      ...(through !== undefined && { count }),
      singleTransaction: false,
      noLock: true,
      logger: stepLogger(log),
    }).finally(lock.release)
    // A new database runs all of them, which a hundred lines would not say better.
    if (done.length > 3) log.info({ migrations: done.length, newest: done.at(-1)?.name }, 'migrated')
    else for (const { name } of done) log.info({ migration: name }, 'migrated')
    return done.map(({ name }) => name)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(await explainFailure(database, folder, error), { cause: error })
  } finally {
    // Ends the transaction that a failed file left open.
    await client.end()
  }
}

/** Before the first statement: a file that fails halfway says less. */
function refuseUnusable({ isReadOnly, mayCreate, schema, role, database }: ServerFacts): void {
  if (isReadOnly)
    throw new StartError(
      `The database ${database} is read-only and has to be migrated: set DATABASE_URL to the primary, or end its read-only mode.`,
    )
  if (!mayCreate)
    throw new StartError(
      `The role ${role} may not create tables in the schema ${schema} of the database ${database}: as the owner of the database, run: create schema if not exists ${schema}; grant usage, create on schema ${schema} to ${role};`,
    )
}

export interface MigrateOptions {
  /** The name of the last file to run; all of them by default. */
  readonly through?: string
}

/** The schema of the database as the release with the migrations of `folder` sees it, from one snapshot. */
export async function schemaOf(database: Database, folder: string): Promise<SchemaState> {
  const names = await migrationNames(folder)
  return database.transaction((rows) => readSchema(rows, names))
}

/** The migrator's error does not name the file: it is the first one that still has not run. */
async function explainFailure(database: Database, folder: string, error: unknown): Promise<string> {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  if (!(error instanceof DatabaseError)) return `The database could not be migrated: ${reason}.`
  const { pending } = await schemaOf(database, folder).catch(() => ({ pending: [] }))
  return `The database could not be migrated: ${pending[0] ?? 'a migration'} failed (${reason}) and was rolled back.`
}

/** The migrator logs every step, and each error that it throws; the log has one line for each file instead. */
function stepLogger(log: Logger) {
  const debug = (text: string) => log.debug(text)
  return { debug, info: debug, warn: debug, error: debug }
}
