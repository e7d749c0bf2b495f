import type { Environment } from './platform/settings.ts'

/** Read by the tests, the measurements and the simulators. */
export const otherNames = [
  'MUSTER_TESTS',
  'MUSTER_TEST_COUNTS',
  'MUSTER_TEST_POSTGRES',
  'MUSTER_TEST_PROFILE',
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

/** What a node needs to start and to serve a few callers; the embedded PostgreSQL is not in it. */
const memoryBytesMin = 256 * 2 ** 20

/** A limit of memory (a container's, a unit's) with which the process may be killed, which leaves no word of why. */
export function memoryWarning(limitBytes: number): string | undefined {
  if (limitBytes <= 0 || limitBytes >= memoryBytesMin) return undefined
  const [limit, needed] = [limitBytes, memoryBytesMin].map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`)
  return `This process may use ${limit} of memory and needs ${needed}: the system may kill it at any time. Raise the limit.`
}

/**
 * Why the embedded database must not be started: another one is meant, and the service would begin a new and empty one with a new
 * administrator.
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

/** For the log and `muster doctor`, where it is allowed. */
export function clearTextWarnings({ database }: DatabaseHosts): readonly ClearTextWarning[] {
  const named = [
    ['DATABASE_URL', database.clearTextHosts],
    ['MUSTER_REPLICA_URL', database.replicaClearTextHosts],
  ] as const
  return named.flatMap(([setting, hosts]) => {
    const text = `${setting} reaches ${hosts.join(', ')} in clear text: add sslmode=require, which verifies the certificate of the server`
    return hosts.length === 0 ? [] : [{ setting, hosts, text }]
  })
}

interface ClearTextWarning {
  readonly setting: string
  readonly hosts: readonly string[]
  readonly text: string
}

interface DatabaseHosts {
  readonly database: Readonly<Record<'clearTextHosts' | 'replicaClearTextHosts', readonly string[]>>
}
