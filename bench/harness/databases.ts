import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { growPopulation } from '../../cli/seed/population.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/database/embedded.ts'
import { databaseLimits } from '../../src/database/limits.ts'
import { clientConfig } from '../../src/database/link.ts'
import { migrate, migrationsFolder } from '../../src/database/migrate.ts'
import { pooledDatabase } from '../../src/database/pool.ts'
import { builtInIssuer } from '../../src/issuer/access-tokens.ts'
import { Secret } from '../../src/secret.ts'

const log = pino({ level: 'silent' })

/** Where the populations are kept between runs: making a million people takes a minute. */
const dataDir = process.env.MUSTER_BENCH_DIR ?? join(tmpdir(), 'muster-bench')

/** The embedded PostgreSQL with its defaults, as the service starts it, but for these settings. */
export function startBenchServer(settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedServer> {
  return startEmbedded({ dataDir, mode: 'own', log, transport: 'tcp', settings })
}

/** The address of a migrated database with that many users and a tenth as many organisations; made where it is missing. */
export async function populated(server: EmbeddedServer, users: number): Promise<string> {
  const name = `bench_${users}`
  const admin = new Client(clientConfig(server.superuser))
  await admin.connect()
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await admin.query(`create database ${name} owner muster`)
  await admin.end()
  const { user, password, host, port } = clientConfig(server.link)
  const opened = typeof password === 'function' ? await password() : password
  const url = `postgres://${user}:${opened}@${host}:${port}/${name}`
  await fill(url, users)
  return url
}

async function fill(url: string, users: number): Promise<void> {
  const link = { url: new Secret(url) }
  const database = pooledDatabase({ link, limits: databaseLimits, preparedStatements: true, log })
  await migrate(database, migrationsFolder(), log)
  const client = await database.connect()
  await growPopulation(
    client,
    { users, orgs: Math.ceil(users / 10) },
    { seed: 1, issuer: builtInIssuer, told: () => undefined },
  )
  await client.end()
  await database.close()
}
