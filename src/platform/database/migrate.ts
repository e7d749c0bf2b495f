import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { DatabaseError } from 'pg'
import type { Logger } from 'pino'

import { packageRoot } from '../package-root.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'

const migrationsTable = 'muster_migration'

/** How long one node waits for another that is migrating, and a migration for a lock on a table in use. */
const lockTimeoutMs = 120_000

/**
 * Brings the database up to date: every `NNN_name.sql` of `folder` that has not run yet, in the order of its number, each in a
 * transaction of its own. Several nodes may start at once: one works, the others wait and find nothing to do.
 * Answers the names of what ran, which is mostly none: then the migrator is not even loaded. Throws `StartError` when a file fails: the files before it are kept, nothing of it is.
 */
export async function migrate(database: Database, folder: string, log: Logger): Promise<string[]> {
  if ((await pendingMigrations(database, folder)).length === 0) return []
  const { runner } = await import('node-pg-migrate')
  const client = await database.connect()
  try {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    const done = await runner({
      dbClient: client,
      dir: folder,
      ignorePattern: '(?!\\d+_.*\\.sql$).*',
      migrationsTable,
      direction: 'up',
      singleTransaction: false,
      advisoryLockMode: 'wait',
      logger: quietLogger(log),
    })
    for (const { name } of done) log.info({ migration: name }, 'migrated')
    return done.map(({ name }) => name)
  } catch (error) {
    throw new StartError(await sayFailed(database, folder, error), { cause: error })
  } finally {
    // Ends the session lock and whatever transaction a failed file left open.
    await client.end()
  }
}

/** The names of the migrations that have not run, in their order. Changes nothing, not even on an empty database. */
export async function pendingMigrations(database: Database, folder: string): Promise<string[]> {
  const done = await database.transaction(async (rows) => {
    const [table] = await rows.query<{ exists: boolean }>(migrationTableExists, [migrationsTable])
    return table?.exists ? rows.query<{ name: string }>(migrationsDone, []) : []
  })
  const names = new Set(done.map(({ name }) => name))
  return (await migrationNames(folder)).filter((name) => !names.has(name))
}

/** `migrations/` of the package, from the sources as well as from `dist/`. */
export function migrationsFolder(): string {
  return join(packageRoot(), 'migrations')
}

const migrationTableExists = {
  name: 'migration-table-exists',
  text: 'select to_regclass($1) is not null as exists',
}
const migrationsDone = { name: 'migrations-done', text: `select name from ${migrationsTable}` }

async function migrationNames(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^\d+_.*\.sql$/.test(file))
  return files
    .map((file) => file.slice(0, -'.sql'.length))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

/** The migrator's error does not name the file: it is the first that has still not run. */
async function sayFailed(database: Database, folder: string, error: unknown): Promise<string> {
  const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
  if (!(error instanceof DatabaseError)) return `The database could not be migrated: ${reason}.`
  const [name] = await pendingMigrations(database, folder).catch(() => [])
  return `The database could not be migrated: ${name ?? 'a migration'} failed (${reason}), and nothing of it was kept.`
}

/** The migrator tells every step and repeats what it throws; one line per file is told here instead. */
function quietLogger(log: Logger) {
  const tell = (text: string) => log.debug(text)
  return { debug: tell, info: tell, warn: tell, error: tell }
}
