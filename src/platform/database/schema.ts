import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import type { Rows } from './database.ts'

/** The schema of the database, seen from this release. */
export interface SchemaState {
  /** Number of the newest migration that has run; 0 in an empty database. */
  readonly version: number
  /** Number of the newest migration of this release. */
  readonly releaseVersion: number
  /** Migrations of this release that have not run, in their order. */
  readonly pending: readonly string[]
  /** Migrations that have run and that this release does not know, in their order. */
  readonly ahead: readonly string[]
  /** Why this release cannot work with the schema, and the remedy; undefined if it can, or could after `pending`. */
  readonly fault: string | undefined
}

/** For the log, where `ahead` is usable. */
export const newerSchema = 'a newer release has migrated the database, and this one works with it: update this node too'

export const migrationsTable = 'muster_migration'

/** `migrations/` of the package, from the sources and from `dist/`. */
export function migrationsFolder(): string {
  return join(packageRoot(), 'migrations')
}

/** The names of the migrations in `folder`, in the order of their numbers. */
export async function migrationNames(folder: string): Promise<string[]> {
  return namesIn(await readdir(folder))
}

/** The number of the newest migration of this release. */
export function newestMigration(): number {
  return numberOf(namesIn(readdirSync(migrationsFolder())).at(-1))
}

function namesIn(files: readonly string[]): string[] {
  return inOrder(files.filter((file) => /^\d+_.*\.sql$/.test(file)).map((file) => file.slice(0, -'.sql'.length)))
}

/**
 * Compares the migrations that have run with those of the release, by their names. Changes nothing, not even in an empty database.
 * A schema that is ahead is usable if each migration that this release lacks has declared that it works with this release.
 */
export async function readSchema(rows: Rows, release: readonly string[]): Promise<SchemaState> {
  const done = inOrder(await appliedMigrations(rows))
  if (done.length === 0 && (await hasTablesInPublic(rows)))
    return {
      version: 0,
      releaseVersion: numberOf(release.at(-1)),
      pending: release,
      ahead: [],
      fault: unpublishedSchema,
    }
  const pending = release.filter((name) => !done.includes(name))
  const ahead = done.filter((name) => !release.includes(name))
  const releaseVersion = numberOf(release.at(-1))
  const range = { releaseVersion, pending, ahead }
  return { version: numberOf(done.at(-1)), ...range, fault: ahead.length > 0 ? await faultOf(rows, range) : undefined }
}

/** The number with which the name of a migration begins. */
export function numberOf(name = '0'): number {
  return Number.parseInt(name, 10)
}

/** The names of the migrations that have run, in the order in which they ran: none in an empty database. */
export async function appliedMigrations(rows: Rows): Promise<string[]> {
  const [table] = await rows.query<{ exists: boolean }>(tableExists, [migrationsTable])
  return table?.exists ? (await rows.query<{ name: string }>(migrationsDone, [])).map(({ name }) => name) : []
}

/** Builds from before the first release made their tables in the schema `public`. */
async function hasTablesInPublic(rows: Rows): Promise<boolean> {
  const [row] = await rows.query<{ exists: boolean }>(tableExists, [`public.${migrationsTable}`])
  return row?.exists ?? false
}

const unpublishedSchema =
  'An unpublished build of Muster made this database, and this release cannot read it: export the users with that build (muster export users.csv), start this release with a new database, and import them there (muster import users.csv).'

async function faultOf(
  rows: Rows,
  { releaseVersion, pending, ahead }: Pick<SchemaState, 'releaseVersion' | 'pending' | 'ahead'>,
): Promise<string | undefined> {
  // The migrator would refuse to run a file before one that has run.
  if (pending.length > 0)
    return `The database lacks ${pending.join(', ')} of this release and has ${ahead.join(', ')} of another: use the release that migrated it, or a newer one.`
  const declared = await compatibilityOf(rows)
  const unusable = ahead.find((name) => (declared.get(numberOf(name)) ?? Number.POSITIVE_INFINITY) > releaseVersion)
  return unusable === undefined
    ? undefined
    : `A newer release has migrated the database (${unusable}), and this one, which knows migrations up to ${releaseVersion}, cannot work with it: install the newer release on this node, or restore a backup from before the migration.`
}

/** For the number of each migration that declares it, the oldest release that works with it, by the number of its newest migration. */
async function compatibilityOf(rows: Rows): Promise<ReadonlyMap<number, number>> {
  const [table] = await rows.query<{ exists: boolean }>(tableExists, ['schema_compatibility'])
  if (!table?.exists) return new Map()
  const declared = await rows.query<{ migration: number; worksWith: number }>(compatibilityDeclared, [])
  return new Map(declared.map(({ migration, worksWith }) => [migration, worksWith]))
}

function inOrder(names: readonly string[]): string[] {
  return [...names].sort((a, b) => numberOf(a) - numberOf(b))
}

const tableExists = { name: 'schema_table_exists', text: 'select to_regclass($1) is not null as exists' }

const migrationsDone = { name: 'schema_migrations_done', text: `select name from ${migrationsTable} order by id` }

const compatibilityDeclared = {
  name: 'schema_compatibility',
  text: 'select migration, works_with as "worksWith" from schema_compatibility',
}
