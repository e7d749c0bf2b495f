import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { DatabaseError } from 'pg'
import { type Logger, pino } from 'pino'
import type { Config } from '../src/config.ts'
import type { Administration } from '../src/identity/administrators.ts'
import type { Database, Rows } from '../src/platform/database/database.ts'
import { type OpenedDatabase, openDatabase } from '../src/platform/database/open.ts'
import { migrationsFolder, schemaOf } from '../src/platform/database/schema.ts'
import { createLog } from '../src/platform/log.ts'
import { refuse } from '../src/platform/problems.ts'
import { type DatabaseConfig, readDatabaseConfig } from '../src/settings/database.ts'
import { Fault, onSignal } from './errors.ts'
import { jsonLinesOption } from './options.ts'
import { note } from './print.ts'
import { type Column, printRows, type Rowset } from './table.ts'

/** What a command needs to work on the database. */
export interface CommandContext {
  readonly database: Database
  readonly log: Logger
}

/** The same with the whole configuration. */
export interface ConfiguredContext extends CommandContext, Administration {
  readonly config: Config
}

interface SchemaOptions {
  /** Also accept pending migrations and a schema that is too new for this release. */
  readonly anySchema?: boolean
}

/** Runs `work` on the database. Reads only the settings of the database, and loads only what reads them. */
export function withDatabase<Result>(
  work: (context: CommandContext) => Promise<Result>,
  options?: SchemaOptions,
): Promise<Result> {
  return withOpened(readDatabaseConfig(process.env), work, options)
}

/** Runs `work` on the database with the whole configuration. */
export async function withConfig<Result>(
  work: (context: ConfiguredContext) => Promise<Result>,
  options?: SchemaOptions,
): Promise<Result> {
  // Loaded here, because the settings of all folders are twice as many files as a command needs for the database.
  const [{ readConfig }, { acceptedIssuersOf }] = await Promise.all([
    import('../src/config.ts'),
    import('../src/sign-in/settings.ts'),
  ])
  const config = readConfig(process.env)
  const acceptedIssuers = acceptedIssuersOf(config)
  return withOpened(config, (context) => work({ ...context, acceptedIssuers, config }), options)
}

/** Uses the embedded server of a running service, or starts one. Closes afterwards what it opened. */
async function withOpened<Result>(
  config: DatabaseConfig,
  work: (context: CommandContext) => Promise<Result>,
  { anySchema = false }: SchemaOptions = {},
): Promise<Result> {
  const log = openLog()
  const opening = openConfigured(config, log)
  const { close, forget } = closeOnSignal(opening)
  try {
    const database = onBehalfOfOperator(await opening)
    if (!anySchema) await refuseOtherSchema(database)
    return await work({ database, log })
  } catch (error) {
    // 0A000: writing commands first lock an unlogged table, which a standby does not have.
    if (error instanceof DatabaseError && error.code === '0A000' && (await opening).server.isStandby)
      refuse('read_only', { detail: 'The database is read-only. Set DATABASE_URL to the primary.', cause: error })
    throw error
  } finally {
    await close()
    forget()
  }
}

/** Adds `--json` and an action that prints rows on the configured database, or a note if a list has none. */
export function printsRows<Row>(
  command: Command,
  columns: readonly Column<Row>[],
  read: (database: Database) => Rowset<Row> | Promise<Rowset<Row>>,
  emptyNote?: string,
): void {
  const run = async ({ database }: CommandContext, json: true | undefined) => {
    const list = await read(database)
    if (emptyNote !== undefined && Array.isArray(list) && list.length === 0) return note(emptyNote)
    await printRows(list, columns, json)
  }
  command
    .option(...jsonLinesOption)
    .action(({ json }: { readonly json?: true }) => withDatabase((context) => run(context, json)))
}

export function openConfigured({ database, dataDir }: DatabaseConfig, log: Logger): Promise<OpenedDatabase> {
  const { url, schema, preparedStatements } = database
  const limits = { connectTimeoutMs }
  return openDatabase({ ...(url && { url }), schema, dataDir, mode: 'join', limits, preparedStatements, log })
}

/** Longer than in the service: no request waits, and connecting to a busy server can take seconds. */
const connectTimeoutMs = 10_000

/** Logs to standard error, because standard output is for results. */
export function openLog(): Logger {
  return createLog('warn', { destination: pino.destination({ dest: 2, sync: true }) })
}

async function refuseOtherSchema(database: Database): Promise<void> {
  const { fault, pending } = await schemaOf(database, migrationsFolder())
  if (fault !== undefined) throw new Fault(fault)
  const { length } = pending
  if (length === 0) return
  throw new Fault(`The database has ${length} pending ${length === 1 ? 'migration' : 'migrations'}. ${pendingAdvice}`)
}

export const pendingAdvice = 'Run muster migrate, or start the service.'

/** Without this, Ctrl-C would leave behind the embedded server that this command started. */
function closeOnSignal(opening: Promise<Database>): { close: () => Promise<void>; forget: () => void } {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opening.then(
      (database) => database.close(),
      () => undefined, // `withDatabase` throws this error
    )
    return closing
  }
  return { close, forget: onSignal((exitCode) => void close().finally(() => process.exit(exitCode))) }
}

/** Adds the name of the operating system user to all audit events. */
function onBehalfOfOperator(database: OpenedDatabase): OpenedDatabase {
  const operator = operatorName()
  const named = (rows: Rows): Rows => ({ operator, query: (statement, values) => rows.query(statement, values) })
  return { ...database, operator, transaction: (work) => database.transaction((rows) => work(named(rows))) }
}

/** In a container, the user ID may have no name. */
function operatorName(): string {
  try {
    return userInfo().username.slice(0, 100)
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
