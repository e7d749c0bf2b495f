import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { Problem } from '../problems.ts'
import type { Secret } from '../secret.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './database.ts'
import { type EmbeddedMode, startEmbedded } from './embedded.ts'
import { type DatabaseLimits, databaseLimits } from './limits.ts'
import type { Link } from './link.ts'
import { pooledDatabase } from './pool.ts'

const serverVersionMin = 140_000

export interface DatabaseOptions {
  /** `DATABASE_URL`. Without it PostgreSQL runs embedded in `dataDir`. */
  readonly url?: Secret
  /** Absolute path of the data directory. */
  readonly dataDir: string
  /** `own`: the service, which owns the data directory. `join`: a command or a worker, beside a service or alone. */
  readonly mode: EmbeddedMode
  readonly limits?: Partial<DatabaseLimits>
  readonly preparedStatements?: boolean
  readonly log: Logger
}

/** Opens the embedded database or that of the URL, and checks that it answers. Throws `StartError`: one sentence that says what to do. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url ? openByUrl({ url: options.url }, options) : openEmbedded(options)
}

async function openByUrl(link: Link, options: DatabaseOptions): Promise<Database> {
  const database = pooled(link, options)
  try {
    await checkServer(database)
    return database
  } catch (error) {
    await database.close()
    throw asStartError(error)
  }
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataDir, mode, log } = options
  const server = await startEmbedded({ dataDir, mode, log })
  const database = pooled(server.link, options)
  return {
    ...database,
    async close() {
      await database.close()
      await server.stop()
    },
  }
}

function pooled(link: Link, { limits, preparedStatements = true, log }: DatabaseOptions): Database {
  return pooledDatabase({ link, limits: { ...databaseLimits, ...limits }, preparedStatements, log })
}

async function checkServer(database: Database): Promise<void> {
  const client = await database.connect()
  try {
    const { rows } = await client.query<{ version: number; text: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_version') as text`,
    )
    const [server] = rows
    if (server !== undefined && server.version >= serverVersionMin) return
    throw new StartError(
      `The server of DATABASE_URL is PostgreSQL ${server?.text}: Muster needs PostgreSQL 14 or newer, so upgrade it or use another.`,
    )
  } finally {
    await client.end()
  }
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
