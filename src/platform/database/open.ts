import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { Problem } from '../problems.ts'
import type { Secret } from '../secret.ts'
import { StartError } from '../start-error.ts'
import type { Binaries } from './binaries.ts'
import { type ConnectionBudget, connectionBudget } from './budget.ts'
import { checkServer, poolerAdvice, poolerFault } from './check-server.ts'
import type { Database } from './database.ts'
import { type EmbeddedMode, startEmbedded } from './embedded.ts'
import { type DatabaseLimits, databaseLimits } from './limits.ts'
import { type Link, linksOf } from './link.ts'
import { mainSettings, pooledDatabase } from './pool.ts'
import { type FoundServer, findServer, type ServerFacts } from './server-facts.ts'

export interface DatabaseOptions {
  /** `DATABASE_URL`. Without it PostgreSQL runs embedded in `dataDir`. */
  readonly url?: Secret
  /** Absolute path of the data directory. */
  readonly dataDir: string
  /** `own`: the service, which owns the data directory. `join`: a command or a worker, beside a service or alone. */
  readonly mode: EmbeddedMode
  /** Programs of another major version, for an embedded database of that version. */
  readonly binaries?: Binaries
  readonly limits?: Partial<DatabaseLimits>
  readonly preparedStatements?: boolean
  /** Processes of this node with such pools. */
  readonly processes?: number
  readonly log: Logger
}

export interface OpenedDatabase extends Database {
  /** What the server said when it was opened. */
  readonly server: ServerFacts
}

/** Opens the embedded database or that of the URL, and checks that it answers. Throws `StartError`: one sentence that says what to do. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenedDatabase> {
  return options.url ? openByUrl({ url: options.url }, options) : openEmbedded(options)
}

async function openByUrl(link: Link, options: DatabaseOptions): Promise<OpenedDatabase> {
  const limits = { ...databaseLimits, ...options.limits }
  try {
    const links = linksOf(link)
    const found = await findServer(links, limits.connectTimeoutMs)
    if (links.length > 1 && found.facts.isStandby)
      throw new StartError('No host of DATABASE_URL is the primary: wait until one is, or name it there.')
    checkServer(found.facts)
    if (found.facts.isPooled) await checkPooler(found, options)
    return await openPools(link, found, options)
  } catch (error) {
    throw asStartError(error)
  }
}

async function openEmbedded(options: DatabaseOptions): Promise<OpenedDatabase> {
  const { dataDir, mode, binaries, log } = options
  const server = await startEmbedded({ dataDir, mode, log, ...(binaries && { binaries }) })
  try {
    const found = await findServer([server.link], embeddedConnectTimeoutMs)
    const database = await openPools(server.link, found, options)
    return {
      ...database,
      async close() {
        await database.close()
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** The server has just answered; on a busy machine another connection may take long. */
const embeddedConnectTimeoutMs = 20_000

async function openPools(link: Link, found: FoundServer, options: DatabaseOptions): Promise<OpenedDatabase> {
  const { preparedStatements = true, processes = 1, mode, log } = options
  const { facts } = found
  const wished = { ...databaseLimits, ...options.limits }
  // What a pooler can give is its own affair.
  const budget = facts.isPooled ? undefined : connectionBudget(facts.connections, wished, processes)
  const limits = budget?.limits ?? wished
  const database = pooledDatabase({ link, first: found, limits, preparedStatements, log })
  if (budget?.isShort) await database.hold()
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
    'the server has fewer connections than this node wants: its pools are smaller. Raise max_connections, or lower MUSTER_DATABASE_CONNECTIONS',
  )
}

async function checkPooler({ link }: FoundServer, { limits, preparedStatements = true, mode, log }: DatabaseOptions) {
  const connectionSettings = mainSettings({ ...databaseLimits, ...limits })
  const fault = await poolerFault(link, { connectionSettings, preparedStatements })
  if (fault !== undefined) throw new StartError(fault)
  if (mode === 'own') log.warn(poolerAdvice)
}

/** Decided by the error's code, never by its text. The sentence does not repeat the URL, which contains the password. */
function asStartError(error: unknown): StartError {
  if (error instanceof StartError) return error
  const cause = error instanceof Problem ? error.more.cause : error
  return new StartError(`${reasonOf(cause)}: check DATABASE_URL and that the server is running.`, { cause })
}

function reasonOf(cause: unknown): string {
  const code = codeWithin(cause)
  if (cause instanceof DatabaseError) {
    if (code === '28P01' || code === '28000') return `The database refused the user or the password (${code})`
    if (code === '53300') return `The server has no connection left (${code})`
    if (code === '3D000') return `The server has no database of that name (${code})`
    return `The database refused the connection (${code})`
  }
  if (code === 'ERR_INVALID_URL')
    return `That is not an address such as postgres://user:password@host:5432/database (${code})`
  if (code === 'ENOENT') return `The file or the socket that the address names does not exist (${code})`
  if (code !== undefined && isCertificateFault(code)) {
    return `The certificate of the database server was not accepted (${code}; sslrootcert=<file> names its authority)`
  }
  return `The database cannot be reached (${code ?? 'no answer in time, or not a PostgreSQL URL'})`
}

/** Where several addresses were tried, the error of the first. */
function codeWithin(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return errorCode(first) ?? (first instanceof Error && first.cause !== undefined ? codeWithin(first.cause) : undefined)
}

/** The codes of OpenSSL's verification and of Node's check of the name. */
function isCertificateFault(code: string): boolean {
  return /CERT|SIGNATURE|ALTNAME/.test(code)
}
