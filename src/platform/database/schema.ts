import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { packageRoot } from '../package-root.ts'
import { refuse } from '../problems.ts'
import type { Database, Rows } from './database.ts'

/** The schema of the database compared with the migrations of this release. */
export interface SchemaState {
  /** Number of the newest applied migration. 0 for an empty database. */
  readonly version: number
  /** Number of the newest migration of this release. */
  readonly releaseVersion: number
  /** Migrations of this release that are not applied yet, in order. */
  readonly pending: readonly string[]
  /** Applied migrations that this release does not know, in order. */
  readonly ahead: readonly string[]
  /** Why this release cannot use the schema, and the remedy. Undefined if it can, at least after applying `pending`. */
  readonly fault: string | undefined
}

/** Log message if `ahead` is not empty but this release can use the schema. */
export const newerSchema =
  'a newer release has migrated the database. This release still works with it, but update this node too'

export const migrationsTable = 'muster_migration'

/** Path of the folder `migrations/`. */
export function migrationsFolder(): string {
  return join(packageRoot(), 'migrations')
}

/** Names of the migrations in `folder`, by number. */
export async function migrationNames(folder: string): Promise<string[]> {
  return namesIn(await readdir(folder))
}

/** Number of the newest migration of this release. */
export function newestMigration(): number {
  return numberOf(namesIn(readdirSync(migrationsFolder())).at(-1))
}

function namesIn(files: readonly string[]): string[] {
  return inOrder(files.filter((file) => /^\d+_.*\.sql$/.test(file)).map((file) => file.slice(0, -'.sql'.length)))
}

/** Compares the schema of the database with the migrations of `folder`, in one snapshot. */
export async function schemaOf(database: Database, folder: string): Promise<SchemaState> {
  const names = await migrationNames(folder)
  return database.transaction((rows) => readSchema(rows, names))
}

/**
 * Compares the applied migrations with those of the release. Read-only, even for an empty database. A newer schema is usable if each
 * unknown migration declares that it works with this release.
 */
async function readSchema(rows: Rows, release: readonly string[]): Promise<SchemaState> {
  const applied = inOrder(await appliedMigrations(rows))
  if (applied.length === 0 && (await hasTablesInPublic(rows)))
    return {
      version: 0,
      releaseVersion: numberOf(release.at(-1)),
      pending: release,
      ahead: [],
      fault: unpublishedSchema,
    }
  const pending = release.filter((name) => !applied.includes(name))
  const ahead = applied.filter((name) => !release.includes(name))
  const releaseVersion = numberOf(release.at(-1))
  const range = { releaseVersion, pending, ahead }
  return {
    version: numberOf(applied.at(-1)),
    ...range,
    fault: ahead.length > 0 ? await faultOf(rows, range) : undefined,
  }
}

/** The number at the start of a migration's name. */
export function numberOf(name = '0'): number {
  return Number.parseInt(name, 10)
}

/** Names of the applied migrations, in the order of application. Empty for an empty database. */
export async function appliedMigrations(rows: Rows): Promise<string[]> {
  const [table] = await rows.query<{ exists: boolean }>(tableExists, [migrationsTable])
  return table?.exists ? (await rows.query<{ name: string }>(migrationsDone, [])).map(({ name }) => name) : []
}

/** Builds from before the first release used the schema `public`. */
async function hasTablesInPublic(rows: Rows): Promise<boolean> {
  const [row] = await rows.query<{ exists: boolean }>(tableExists, [`public.${migrationsTable}`])
  return row?.exists ?? false
}

const unpublishedSchema =
  'An unpublished build of Muster created this database, and this release cannot read it: export the users with that build (muster export users.csv), start this release with a new database, and import them (muster import users.csv).'

async function faultOf(
  rows: Rows,
  { releaseVersion, pending, ahead }: Pick<SchemaState, 'releaseVersion' | 'pending' | 'ahead'>,
): Promise<string | undefined> {
  // The migrator cannot apply a file whose number is below an applied one.
  if (pending.length > 0)
    return `The database lacks the migrations ${pending.join(', ')} of this release and has ${ahead.join(', ')} of another: use the release that migrated it, or a newer one.`
  const declared = await compatibilityOf(rows)
  const unusable = ahead.find((name) => (declared.get(numberOf(name)) ?? Number.POSITIVE_INFINITY) > releaseVersion)
  return unusable === undefined
    ? undefined
    : `A newer release has migrated the database (${unusable}), and this release, which knows migrations up to ${releaseVersion}, cannot use it: install the newer release on this node, or restore a backup from before the migration.`
}

/** Maps the number of a migration to the oldest release that works with it, as the number of that release's newest migration. */
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

/** Watches the schema while the service runs: a node of a newer release may migrate it at any time. */
export interface SchemaWatch {
  /** Reads the schema again. Problems: `schema_unsupported`, `database_unavailable`. */
  check(): Promise<void>
  /** As last read. */
  current(): SchemaState
}

/** Reads the schema once before it resolves. `release`: names of this release's migrations. Problem: `database_unavailable`. */
export async function watchSchema(
  { side: rows }: { readonly side: Rows },
  { release, log }: { readonly release: readonly string[]; readonly log: Logger },
): Promise<SchemaWatch> {
  let current = await readSchema(rows, release)

  return {
    async check() {
      const before = current
      current = await readSchema(rows, release)
      const { ahead, fault } = current
      if (fault !== undefined && before.fault === undefined) log.error({ migrations: ahead }, fault)
      else if (fault === undefined && ahead.length > before.ahead.length) log.warn({ migrations: ahead }, newerSchema)
      if (fault !== undefined) refuse('schema_unsupported', { detail: fault, retryAfterSeconds: 60 })
    },
    current: () => current,
  }
}
