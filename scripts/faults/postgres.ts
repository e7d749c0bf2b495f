import { mkdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaries } from '../../embedded/binaries.ts'
import { ensureCluster, readPassword } from '../../embedded/cluster.ts'
import { layoutOf, makeDataDir } from '../../embedded/directory.ts'
import { chooseEndpoint, livePostmaster, startPostmaster } from '../../embedded/postmaster.ts'
import { findPrograms, runProgram } from '../../embedded/programs.ts'
import { familyOf, sendSignal, until } from './wait.ts'

/** A separate PostgreSQL that a section may stop, freeze and fill. */
export interface Postgres {
  /** The address of a new, empty database, for the role of the service. */
  newDatabase(): Promise<string>
  /** As the superuser, on a new connection for every statement. */
  sql<Row extends object>(text: string): Promise<Row[]>
  /** Resolves when it accepts connections again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  /** SIGSTOP or SIGCONT for the postmaster and all its processes. */
  freeze(isFrozen: boolean): Promise<void>
  stop(): Promise<void>
}

/** Created and started in that directory, with these settings besides the durable ones. */
export async function startPostgres(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postgres> {
  const layout = layoutOf(dataDir)
  await mkdir(dataDir, { recursive: true })
  await makeDataDir(layout)
  const binaries = findBinaries()
  const { cluster } = layout
  const programs = await findPrograms({ initdb: binaries.initdb, dataDir, cluster })
  const password = await readPassword(layout)
  await ensureCluster(layout, binaries, programs, password)
  const endpoint = await chooseEndpoint(layout, 'tcp')
  const address = (user: string, database: string) =>
    `postgres://${user}:${password}@${endpoint.host}:${endpoint.port}/${database}`
  let databases = 0

  async function sql<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: address('postgres', 'postgres'), connectionTimeoutMillis: 5_000 })
    client.on('error', () => undefined) // what ends the connection also rejects the query
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  async function start(): Promise<void> {
    startPostmaster({ binaries, programs, layout, endpoint, settings })
    // Wait until it listens: a connection to a free port on the loopback interface can connect to itself, and then occupies the port.
    await until(
      'PostgreSQL accepts connections',
      30,
      async () =>
        (await livePostmaster(cluster))?.endpoint !== undefined &&
        sql('select 1').then(
          () => true,
          () => false,
        ),
    )
  }

  const end = async (mode: string) => {
    const args = ['stop', '-D', cluster, '-m', mode, '-w', '-t', '30']
    const { code, output } = await runProgram(programs, binaries.pgCtl, args, 40_000)
    if (code !== 0) throw new Error(`pg_ctl stop -m ${mode}: ${output}`)
  }

  async function freeze(isFrozen: boolean): Promise<void> {
    const postmaster = (await livePostmaster(cluster))?.pid
    if (postmaster === undefined) throw new Error('PostgreSQL is not running')
    for (const pid of familyOf(postmaster)) sendSignal(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  await start()
  await sql(`create role muster login password '${password}'`)
  return {
    sql,
    freeze,
    async newDatabase() {
      databases += 1
      await sql(`create database faults_${databases} owner muster`)
      return address('muster', `faults_${databases}`)
    },
    async restart(mode) {
      await end(mode)
      await start()
    },
    async stop() {
      if (!(await livePostmaster(cluster))) return
      await freeze(false)
      await end('immediate')
      // pg_ctl waited for the lock file, not for the process.
      while (await livePostmaster(cluster)) await setTimeout(50)
    },
  }
}
