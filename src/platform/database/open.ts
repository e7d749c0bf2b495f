import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { EmbeddedMode } from '../../../embedded/index.ts'
import { errorCode } from '../error-code.ts'
import { Problem } from '../problems.ts'
import { Secret } from '../secret.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { asProblem } from './faults.ts'
import { type ConnectionBudget, connectionBudget, type DatabaseLimits, databaseLimits } from './limits.ts'
import { defaultSchema, type Link, singleHostLinks } from './link.ts'
import { mainSettings, pooledDatabase } from './pool.ts'
import {
  checkServer,
  type FoundServer,
  findServer,
  parameterAdvice,
  poolerAdvice,
  poolerFault,
  type ServerFacts,
} from './server-facts.ts'

interface DatabaseOptions {
  /** `DATABASE_URL`. Without it, PostgreSQL runs embedded in `dataDir`. */
  readonly url?: Secret
  /** Schema of Muster's tables. Default: `defaultSchema`. */
  readonly schema?: string
  /** Absolute path of the data directory. */
  readonly dataDir: string
  /** `own`: the service, which owns the data directory. `join`: a CLI command, which may run beside a service. */
  readonly mode: EmbeddedMode
  readonly limits?: Partial<DatabaseLimits>
  readonly preparedStatements?: boolean
  readonly log: Logger
}

export interface OpenedDatabase extends Database {
  /** Read when the database was opened. */
  readonly server: ServerFacts
}

/** Opens the database of `url`, or the embedded database, and connects once. Throws `StartError`. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  const { url, schema = defaultSchema } = options
  return url ? openByUrl({ url, schema }, options) : openEmbedded({ ...options, schema })
}

async function openByUrl(link: Link, options: DatabaseOptions): Promise<OpenedDatabase> {
  const limits = { ...databaseLimits, ...options.limits }
  try {
    const links = singleHostLinks(link)
    const found = await findServer(links, limits.connectTimeoutMs)
    if (links.length > 1 && found.facts.isStandby)
      throw new StartError(
        'No host in DATABASE_URL is the primary: wait for a failover, or add the primary to DATABASE_URL.',
      )
    checkServer(found.facts)
    if (found.facts.isPooled) await checkPooler(found, options)
    return await openPools(link, found, options)
  } catch (error) {
    throw asStartError(error)
  }
}

async function openEmbedded(options: DatabaseOptions & { readonly schema: string }): Promise<OpenedDatabase> {
  const { dataDir, mode, schema, log } = options
  // Loaded here, because a process with DATABASE_URL does not need it.
  const { EmbeddedError, startEmbedded } = await import('../../../embedded/index.ts')
  const server = await startEmbedded({ dataDir, mode, log }).catch((error: unknown) => {
    if (error instanceof EmbeddedError) throw new StartError(error.message, { cause: error.cause })
    throw error instanceof DatabaseError ? asProblem(error) : error
  })
  try {
    const link = { url: new Secret(server.url), schema }
    const found = await findServer([link], embeddedConnectTimeoutMs)
    const database = await openPools(link, found, options)
    return {
      ...database,
      async close() {
        await database.close()
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Long, because connecting may be slow on a busy machine. */
const embeddedConnectTimeoutMs = 20_000

async function openPools(link: Link, found: FoundServer, options: DatabaseOptions): Promise<OpenedDatabase> {
  const { preparedStatements = true, mode, log } = options
  const { facts } = found
  const wanted = { ...databaseLimits, ...options.limits }
  // Behind a pooler, the limits of the server do not apply to this node.
  const budget = facts.isPooled ? undefined : connectionBudget(facts.connections, wanted)
  const limits = budget?.limits ?? wanted
  const database = pooledDatabase({ link, first: found, limits, preparedStatements, log })
  if (budget?.isShort) await database.openPools()
  if (budget && mode === 'own') logBudget(budget, facts, log)
  return { ...database, server: facts }
}

function logBudget(
  { wanted, available, left, isShort, limits }: ConnectionBudget,
  facts: ServerFacts,
  log: Logger,
): void {
  const { max, reserved, used } = facts.connections
  const line = { wanted, available, left, max, reserved, used }
  if (!isShort) {
    log.info(line, 'database connections')
    return
  }
  const { connectionsMax, sideConnectionsMax, streamsMax } = limits
  log.warn(
    { ...line, pools: { main: connectionsMax, side: sideConnectionsMax, streams: streamsMax } },
    'the server has too few connections, so the pools of this node are smaller. Raise max_connections, or lower MUSTER_DATABASE_CONNECTIONS',
  )
}

async function checkPooler({ link }: FoundServer, { limits, preparedStatements = true, mode, log }: DatabaseOptions) {
  const connectionSettings = mainSettings({ ...databaseLimits, ...limits })
  const fault = await poolerFault(link, { connectionSettings, preparedStatements })
  if (fault !== undefined) throw new StartError(fault)
  if (mode === 'own') log.warn(poolerAdvice)
}

/** Decides by the error's code, never by its message. Omits the URL, which contains the password. */
function asStartError(error: unknown): StartError {
  if (error instanceof StartError) return error
  const cause = error instanceof Problem ? error.more.cause : error
  if (cause instanceof DatabaseError && cause.code === '08P01') return new StartError(parameterAdvice, { cause })
  return new StartError(`${reasonOf(cause)}: check DATABASE_URL, and whether the server is running.`, { cause })
}

function reasonOf(cause: unknown): string {
  const code = codeWithin(cause)
  if (cause instanceof DatabaseError) {
    if (code === '28P01' || code === '28000') return `The database rejected the user or the password (${code})`
    if (code === '53300') return `The server has no free connections (${code})`
    if (code === '3D000') return `The server has no database with this name (${code})`
    return `The database rejected the connection (${code})`
  }
  if (code === 'ERR_INVALID_URL') return `The URL must look like postgres://user:password@host:5432/database (${code})`
  if (code === 'ENOENT') return `A file or socket that the URL names does not exist (${code})`
  if (code !== undefined && isCertificateFault(code)) {
    return `The certificate of the database server was rejected (${code}; set sslrootcert=<file> to its CA)`
  }
  return `The database cannot be reached (${code ?? 'no answer in time, or not a PostgreSQL URL'})`
}

/** If several addresses were tried, returns the code of the first error. */
function codeWithin(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return errorCode(first) ?? (first instanceof Error && first.cause !== undefined ? codeWithin(first.cause) : undefined)
}

/** Codes of OpenSSL's verification and of Node's host name check. */
function isCertificateFault(code: string): boolean {
  return /CERT|SIGNATURE|ALTNAME/.test(code)
}
