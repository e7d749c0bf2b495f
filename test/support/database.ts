import { randomBytes } from 'node:crypto'

import { escapeIdentifier, Pool } from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'

import type { Database } from '../../src/platform/database/database.ts'
import { type DatabaseLimits, databaseLimits } from '../../src/platform/database/limits.ts'
import { defaultSchema } from '../../src/platform/database/link.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { Secret } from '../../src/platform/secret.ts'
import { checkAuditTrail } from './audit-shapes.ts'
import { isReduced, refuseTemporary } from './reduced-profile.ts'

export interface FreshDatabase {
  readonly database: Database
  /** For a service of its own, or a second look with another client. Holds the password. */
  readonly url: string
  /** The same database as the superuser (with TEST_DATABASE_URL: as its role). */
  readonly adminUrl: string
  /**
   * Runs SQL of the test's own on a connection that no service has, without any time limit: to seed a table may take longer
   * than a service lets a statement run.
   */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Closes the database and removes it, whoever is still connected. For a fresh one, throws where its audit trail is not as `auditShapes` has it. */
  readonly drop: () => Promise<void>
}

export interface FreshOptions {
  readonly limits?: Partial<DatabaseLimits>
  readonly preparedStatements?: boolean
  /** An empty database instead of one with all migrations. */
  readonly empty?: boolean
  /** The test records events of the audit trail that no operation has made. */
  readonly ownEvents?: true
}

/**
 * Connecting may take long on a busy machine, which is not what a test is about. Idle connections stay open, because a new one takes
 * 40 ms of CPU.
 */
const patient = { ...databaseLimits, connectionsMax: 5, connectTimeoutMs: 20_000, idleTimeoutMs: 0 }

/** A database of the test's own, with all migrations and no rows. */
export async function freshDatabase({
  limits,
  preparedStatements = true,
  empty,
  ownEvents,
}: FreshOptions = {}): Promise<FreshDatabase> {
  const server = inject('testServer')
  const name = `test_${randomBytes(8).toString('hex')}`
  const owner = escapeIdentifier(decodeURIComponent(new URL(server.userUrl).username))
  const source = empty ? server.emptyTemplate : server.template
  const admin = adminOf(server.adminUrl)
  await admin.query(`create database ${name} owner ${owner} template ${source} ${server.copyFiles}`)
  if (isReduced) await admin.query(refuseTemporary(name, owner))
  const url = withName(server.userUrl, name)
  const fresh = openFresh(url, {
    adminUrl: withName(server.adminUrl, name),
    socketFolder: server.socketFolder,
    limits,
    preparedStatements,
    remove: async () => void (await admin.query(`drop database ${name} with (force)`)),
  })
  return ownEvents ? fresh : { ...fresh, drop: () => checkAuditTrail(fresh).finally(fresh.drop) }
}

/** A database that is there already. */
export function openFresh(
  url: string,
  {
    adminUrl,
    socketFolder,
    limits,
    preparedStatements = true,
    remove,
  }: Pick<FreshOptions, 'preparedStatements'> & {
    readonly adminUrl: string
    readonly socketFolder?: string | undefined
    readonly limits?: FreshOptions['limits'] | undefined
    readonly remove: () => Promise<void>
  },
): FreshDatabase {
  const nearUrl = socketFolder === undefined ? url : bySocket(url, socketFolder)
  const database = pooledDatabase({
    link: { url: new Secret(nearUrl) },
    limits: { ...patient, ...limits },
    preparedStatements,
    log: pino({ level: 'silent' }),
  })
  const own = ownPool(nearUrl)
  return {
    database,
    url,
    adminUrl,
    async sql<Row extends object>(text: string, values: readonly unknown[] = []) {
      return (await own.query<Row>(text, [...values])).rows
    },
    async drop() {
      await Promise.all([database.close(), own.end()])
      await remove()
    },
  }
}

/** Tells the test's own connections from those of a service, which a test may end. */
export const testApplicationName = 'muster-test'

function ownPool(url: string): Pool {
  const pool = new Pool({ connectionString: url, application_name: testApplicationName, max: 3, idleTimeoutMillis: 0 })
  // Without a listener, an idle connection that a test ended on purpose ends the process.
  return pool.on('error', () => undefined)
}

const admins = new Map<string, Pool>()

/** One connection for all files that a worker runs. */
function adminOf(url: string): Pool {
  const known = admins.get(url)
  if (known) return known
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  pool.on('error', () => undefined)
  admins.set(url, pool)
  return pool
}

/** For connections of this process. */
export function bySocket(url: string, folder: string): string {
  const changed = new URL(url)
  changed.searchParams.set('host', folder)
  return changed.href
}

function withName(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  // As the service finds its tables, for clients that the tests open themselves.
  changed.searchParams.set('options', `-c search_path=${defaultSchema}`)
  return changed.href
}
