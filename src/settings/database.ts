import { resolve } from 'node:path'
import { clearTextHosts, defaultSchema, postgresUrlFault } from '../platform/database/link.ts'
import { type Environment, SettingsReader } from '../platform/settings.ts'

/** What a program needs to open the database. */
export interface DatabaseConfig {
  readonly database: ReturnType<typeof readDatabase>
  readonly dataDir: string
}

/** Reads only the settings of the database. Throws `ConfigError` with all their faults. */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  const read = new SettingsReader(env)
  const config = { dataDir: readDataDir(read), database: readDatabase(read) }
  read.faults.push(...databaseFaults(config, env))
  read.throwFaults()
  return config
}

export function readDataDir(read: SettingsReader): string {
  return resolve(read.text('MUSTER_DATA_DIR', 'Directory of the embedded database and of first-admin.txt.', './data'))
}

export function readDatabase(read: SettingsReader) {
  const url = read.secret(
    'DATABASE_URL',
    'PostgreSQL 14 to 18 to use instead of the embedded server: postgres://…. If it names several hosts, the primary is used.',
    postgresUrlFault,
  )
  return {
    url,
    /** Hosts reached over the network without TLS. */
    clearTextHosts: url && !postgresUrlFault(url.open()) ? clearTextHosts(url.open(), read.lookup('PGSSLMODE')) : [],
    isInsecureAllowed: read.boolean(
      'MUSTER_DATABASE_INSECURE',
      'Whether DATABASE_URL may reach another machine without TLS. Safe only in a network that no one else can read or change.',
      false,
    ),
    schema: read.text(
      'MUSTER_DATABASE_SCHEMA',
      'Schema of Muster’s tables, created if it does not exist. Muster writes to no other schema.',
      defaultSchema,
      (name) =>
        /^[a-z_][a-z0-9_]{0,62}$/.test(name) ? undefined : 'must be a name of lower-case letters, digits and _.',
    ),
    connectionsMax: read.integer(
      'MUSTER_DATABASE_CONNECTIONS',
      'Database connections of this node. The requests of one caller use at most half of them.',
      {
        fallback: 10,
        min: 2,
        max: 500,
      },
    ),
    preparedStatements: read.boolean(
      'MUSTER_PREPARED_STATEMENTS',
      'Whether statements are prepared by name. Some poolers in transaction mode require false.',
      true,
    ),
  }
}

/** Faults of several settings together. */
export function databaseFaults({ database }: Pick<DatabaseConfig, 'database'>, env: Environment): readonly string[] {
  const warnings = database.isInsecureAllowed ? [] : clearTextWarnings({ database })
  return [
    ...warnings.map(
      ({ text }) => `${text}, or set MUSTER_DATABASE_INSECURE=true where no other party can read the network.`,
    ),
    ...(database.url ? [] : embeddedFaults(env)),
  ]
}

/**
 * Why the embedded database must not start: the operator probably means another database, and the service would create
 * an empty one with a new administrator.
 */
export function embeddedFaults(env: Environment, platform = process.platform): readonly string[] {
  const empty = ['DATABASE_URL', 'DATABASE_URL_FILE'].filter((name) => env[name]?.trim() === '')
  const external = externalNames.filter((name) => env[name]?.trim())
  return [
    ...(platform === 'win32'
      ? ['DATABASE_URL is required on Windows, where the embedded database is not supported.']
      : []),
    ...empty.map((name) => `${name} is set and empty: set it, or unset it to use the embedded database.`),
    ...external.map(
      (name) =>
        `${name} is set and DATABASE_URL is not: set DATABASE_URL, or unset ${name} to use the embedded database.`,
    ),
  ]
}

/** Variables by which other programs find a PostgreSQL server. */
const externalNames = [
  ...['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'PGDATABASE', 'POSTGRES_URL', 'POSTGRES_HOST', 'POSTGRESQL_URL'],
  ...['DATABASE_URI', 'DATABASE_HOST', 'DB_URL', 'DB_HOST'],
]

/** The warning for the log and `muster doctor`, if insecure connections are allowed. */
export function clearTextWarnings({ database }: DatabaseHosts): readonly ClearTextWarning[] {
  const hosts = database.clearTextHosts
  const text = `DATABASE_URL reaches ${hosts.join(', ')} in clear text: add sslmode=require, which verifies the certificate of the server`
  return hosts.length === 0 ? [] : [{ setting: 'DATABASE_URL', hosts, text }]
}

interface ClearTextWarning {
  readonly setting: string
  readonly hosts: readonly string[]
  readonly text: string
}

interface DatabaseHosts {
  readonly database: { readonly clearTextHosts: readonly string[] }
}
