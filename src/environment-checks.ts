import type { Environment } from './platform/settings.ts'

/** Read by the tests, the measurements and the simulators. */
export const otherNames = [
  'MUSTER_TESTS',
  'MUSTER_TEST_COUNTS',
  'MUSTER_TEST_POSTGRES',
  'MUSTER_TEST_PROGRAM',
  'MUSTER_BENCH_DIR',
  'MUSTER_BENCH_PEERS_DIR',
  'MUSTER_SIMULATOR_PORT',
]

/** Variables of other programs that name a PostgreSQL server. */
const externalNames = [
  ...['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'PGDATABASE', 'POSTGRES_URL', 'POSTGRES_HOST', 'POSTGRESQL_URL'],
  ...['DATABASE_URI', 'DATABASE_HOST', 'DB_URL', 'DB_HOST'],
]

/**
 * Why the embedded database must not be started: another one is meant, and the service would begin a new and empty one with a new
 * administrator.
 */
export function embeddedFaults(env: Environment): readonly string[] {
  const empty = ['DATABASE_URL', 'DATABASE_URL_FILE'].filter((name) => env[name]?.trim() === '')
  const external = externalNames.filter((name) => env[name]?.trim())
  return [
    ...empty.map((name) => `${name} is set and empty: set it, or unset it to use the embedded database.`),
    ...external.map(
      (name) =>
        `${name} is set and DATABASE_URL is not: set DATABASE_URL, or unset ${name} to use the embedded database.`,
    ),
  ]
}
