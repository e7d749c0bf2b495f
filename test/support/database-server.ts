import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'

import { startEmbedded } from '../../src/platform/database/embedded.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { clientConfig } from '../../src/platform/database/link.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { Secret } from '../../src/platform/secret.ts'

/** Where the tests find PostgreSQL: a role that makes databases, and the role that the service runs as. */
export interface TestServer {
  readonly adminUrl: string
  readonly userUrl: string
  readonly template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

const template = 'muster_template'
const log = pino({ level: 'silent' })

/** One real PostgreSQL for the whole run, with the migrations in a template that every test copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL ? byUrl(process.env.TEST_DATABASE_URL) : await embedded()
  await makeTemplate(server)
  const { adminUrl, userUrl } = server
  project.provide('testServer', { adminUrl, userUrl, template })
  return server.stop
}

interface RunningServer {
  readonly adminUrl: string
  readonly userUrl: string
  readonly stop: () => Promise<void>
}

function byUrl(url: string): RunningServer {
  return { adminUrl: url, userUrl: url, stop: async () => undefined }
}

/** Without fsync: what is tested here is not durability, and the data is thrown away. */
async function embedded(): Promise<RunningServer> {
  await removeAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  await chmod(dataDir, 0o711)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }
  const server = await startEmbedded({ dataDir, mode: 'own', log, transport: 'tcp', settings })
  return {
    adminUrl: urlOf(clientConfig(server.superuser)),
    userUrl: urlOf(clientConfig(server.link)),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const prefix = 'muster-test-'

/** A run that was killed leaves its server behind: it is joined, stopped as its last user, and removed. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : 'none')
    if (!Number.isInteger(pid) || isAlive(pid)) continue
    const dataDir = join(tmpdir(), name)
    const server = await startEmbedded({ dataDir, mode: 'join', log }).catch(() => undefined)
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function urlOf({ host, port, user, database, password }: ReturnType<typeof clientConfig>): string {
  const opened = typeof password === 'function' ? password() : password
  return `postgres://${user}:${opened}@${host}:${port}/${database}`
}

async function makeTemplate({ adminUrl, userUrl }: RunningServer): Promise<void> {
  const owner = decodeURIComponent(new URL(userUrl).username)
  const admin = new Client(adminUrl)
  await admin.connect()
  await admin.query(`drop database if exists ${template}`)
  await admin.query(`create database ${template} owner ${admin.escapeIdentifier(owner)}`)
  await admin.end()

  const url = new URL(userUrl)
  url.pathname = `/${template}`
  const link = { url: new Secret(url.href) }
  const limits = { ...databaseLimits, connectTimeoutMs: 20_000 }
  const database = pooledDatabase({ link, limits, preparedStatements: true, log })
  await migrate(database, migrationsFolder(), log)
  await database.close()
}
