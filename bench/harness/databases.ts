import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { growPopulation } from '../../cli/seed/population.ts'
import { type EmbeddedServer, startEmbedded } from '../../embedded/index.ts'
import { builtInIssuer } from '../../src/identity/issuers/names.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { Secret } from '../../src/platform/secret.ts'

const log = pino({ level: 'silent' })

/** Where the populations are kept between runs: a million users take a minute to create. */
const dataDir = process.env.MUSTER_BENCH_DIR ?? join(tmpdir(), 'muster-bench')

/** The embedded PostgreSQL as the service starts it, except for these settings. */
export async function startBenchServer(settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, mode: 'own', log, transport: 'tcp', settings })
  await dropOutdated(server)
  return server
}

/** The address of a migrated database with that many users and a tenth as many organizations. Creates it if missing. */
export async function populatedDatabase(server: EmbeddedServer, users: number): Promise<string> {
  const name = `${prefix}${users}`
  await asSuperuser(server, async (admin) => {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await admin.query(`create database ${name} owner muster`)
  })
  const url = addressOf(server, name)
  await fill(url, users)
  return url
}

/** The address of a copy of that population, for a measurement that writes. Replaces a database with that name. */
export async function copiedDatabase(server: EmbeddedServer, users: number, name: string): Promise<string> {
  return emptyDatabase(server, name, new URL(await populatedDatabase(server, users)).pathname.slice(1))
}

/** The address of a migrated database without users. Replaces a database with that name. */
export async function migratedDatabase(server: EmbeddedServer, name: string): Promise<string> {
  const url = await emptyDatabase(server, name)
  await withDatabase(url, (database) => migrate(database, migrationsFolder(), log))
  return url
}

/** The address of a new database, a copy of `template`. Replaces a database with that name. */
export async function emptyDatabase(server: EmbeddedServer, name: string, template = 'template1'): Promise<string> {
  await asSuperuser(server, async (admin) => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name} template ${template} owner muster`)
  })
  return addressOf(server, name)
}

/** Returns what `work` returns. */
async function asSuperuser<T>(server: EmbeddedServer, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client(server.superuserUrl)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** Increment with every change of the populations. */
const edition = 4

/** The prefix of populations of these migrations. Those of other migrations may be impossible to migrate. */
const prefix = `bench_${migrationsHash()}_${edition}_`

function migrationsHash(): string {
  const names = readdirSync(migrationsFolder()).filter((name) => name.endsWith('.sql'))
  return createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 8)
}

/** Drops populations of other migrations, and databases left by earlier runs. */
async function dropOutdated(server: EmbeddedServer): Promise<void> {
  await asSuperuser(server, async (admin) => {
    const text = `select datname from pg_database where starts_with(datname, 'bench_') and not starts_with(datname, $1)`
    const { rows } = await admin.query<{ datname: string }>(text, [prefix])
    for (const { datname } of rows) await admin.query(`drop database ${admin.escapeIdentifier(datname)} with (force)`)
  })
}

function addressOf(server: EmbeddedServer, name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

async function fill(url: string, users: number): Promise<void> {
  const orgs = Math.ceil(users / 10)
  await withDatabase(url, async (database) => {
    await migrate(database, migrationsFolder(), log)
    const client = await database.connect()
    await growPopulation(client, { users, orgs }, { seed: 1, issuer: builtInIssuer, onRows: () => undefined })
    await client.end()
  })
}

async function withDatabase(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const link = { url: new Secret(url) }
  const database = pooledDatabase({ link, limits: databaseLimits, preparedStatements: true, log })
  await work(database)
  await database.close()
}
