import { type Client, DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { namedLockTable } from './named-locks.ts'
import { migrationsTable, newerSchema, schemaOf } from './schema.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

/** How long a node waits for another node that migrates, and a migration waits for a table lock. */
const lockTimeoutMs = 120_000

/**
 * Applies every pending `NNN_name.sql` of `folder` in order, each in its own transaction, and returns their names. If several nodes start
 * at once, one migrates and the others wait.
 * Throws `StartError` if a file fails: that file is rolled back, earlier files stay applied. Also throws it if a newer release has
 * migrated the database and this release cannot use the new schema.
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
    checkMayMigrate(facts)
    const { schema } = facts
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    // A migration raises a warning (SQLSTATE class 01) for each row that it changes because of a new rule. Other notices are routine.
    client.on('notice', ({ code, message }) => {
      if (code?.startsWith('01')) log.warn(message)
    })
    // If the lock is lost, close the connection, which rolls back the open transaction.
    const onLost = () => void client.end()
    const lock = await acquireMigrationLock(database, { schema, waitMs: lockTimeoutMs, onLost })
    const applied = await runner({
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
    // One line instead of a hundred for a new database.
    if (applied.length > 3) log.info({ migrations: applied.length, newest: applied.at(-1)?.name }, 'migrated')
    else for (const { name } of applied) log.info({ migration: name }, 'migrated')
    return applied.map(({ name }) => name)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(await explainFailure(database, folder, error), { cause: error })
  } finally {
    // Rolls back the transaction of a failed file.
    await client.end()
  }
}

/** Throws a clear error before the first file fails with an unclear one. */
function checkMayMigrate({ isReadOnly, mayCreate, schema, role, database }: ServerFacts): void {
  if (isReadOnly)
    throw new StartError(
      `The database ${database} needs a migration but is read-only: set DATABASE_URL to the primary, or end its read-only mode.`,
    )
  if (!mayCreate)
    throw new StartError(
      `The role ${role} may not create tables in the schema ${schema} of the database ${database}: as the owner of the database, run: create schema if not exists ${schema}; grant usage, create on schema ${schema} to ${role};`,
    )
}

interface MigrateOptions {
  /** Name of the last migration to apply. Default: all. */
  readonly through?: string
}

/** The migrator's error does not name the file. The failed file is the first pending one. */
async function explainFailure(database: Database, folder: string, error: unknown): Promise<string> {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  if (!(error instanceof DatabaseError)) return `The database could not be migrated: ${reason}.`
  const { pending } = await schemaOf(database, folder).catch(() => ({ pending: [] }))
  return `The database could not be migrated: ${pending[0] ?? 'a migration'} failed (${reason}) and was rolled back.`
}

/** Logs steps of the migrator at debug level only: it also logs each error that it throws. */
function stepLogger(log: Logger) {
  const debug = (text: string) => log.debug(text)
  return { debug, info: debug, warn: debug, error: debug }
}

interface MigrationLock {
  release(): Promise<void>
}

interface LockOptions {
  /** Schema of Muster's tables. Created if it does not exist. */
  readonly schema: string
  readonly waitMs: number
  /** Called if the connection that holds the lock is lost. */
  readonly onLost: () => void
}

/**
 * Waits until no other node migrates. A separate transaction holds the lock: each migration file is its own transaction, and a pooler may
 * run each of them in another session.
 */
export async function acquireMigrationLock(
  database: Pick<Database, 'connect'>,
  { schema, waitMs, onLost }: LockOptions,
): Promise<MigrationLock> {
  const client = await database.connect()
  try {
    await createSchema(client, schema)
    await createObject(client, namedLockTable)
    await client.query(`insert into named_lock values ('migration') on conflict do nothing`)
    await client.query(`begin; set local lock_timeout = ${waitMs}; set local idle_in_transaction_session_timeout = 0`)
    await client.query(`select from named_lock where name = 'migration' for update`)
  } catch (error) {
    await client.end()
    throw error
  }
  client.once('end', onLost)
  return {
    async release() {
      client.off('end', onLost)
      await client.end()
    },
  }
}

/** `create schema if not exists` requires the privilege to create schemas even if the schema exists. */
async function createSchema(client: Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema])
  if (rowCount === 0) await createObject(client, `create schema ${client.escapeIdentifier(schema)}`)
}

/** Ignores the error if another node creates the same object concurrently, which `if not exists` does not prevent. */
async function createObject(client: Client, text: string): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || !alreadyExistsCodes.has(error.code ?? '')) throw error
  })
}

/** unique_violation (in the catalog), duplicate_schema, duplicate_table, duplicate_object (the row type). */
const alreadyExistsCodes = new Set(['23505', '42P06', '42P07', '42710'])
