import { DatabaseError } from 'pg'
import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '../src/config.ts'
import type { Administration } from '../src/identity/administrators.ts'
import type { Database } from '../src/platform/database/database.ts'
import { schemaOf } from '../src/platform/database/migrate.ts'
import { type OpenedDatabase, openDatabase } from '../src/platform/database/open.ts'
import { migrationsFolder } from '../src/platform/database/schema.ts'
import { createLog } from '../src/platform/log.ts'
import { refuse } from '../src/platform/problems.ts'
import { acceptedIssuersOf } from '../src/sign-in/settings.ts'
import { Fault } from './fault.ts'
import { onBehalfOfOperator } from './operator.ts'

/** What the work of an operator's command receives. */
export interface CommandContext extends Administration {
  readonly config: Config
  readonly log: Logger
}

/**
 * Runs `work` on the configured database and closes it, also after an error. Uses the embedded server of a running service, or starts
 * one and stops it again. Only `migrate` and the service change the schema: without `anySchema`, a database with pending migrations is
 * a fault, and so is one that a newer release has migrated beyond what this one can work with.
 */
export async function withDatabase<Result>(
  work: (context: CommandContext) => Promise<Result>,
  { anySchema = false }: { anySchema?: boolean } = {},
): Promise<Result> {
  const config = readConfig(process.env)
  const log = openLog()
  const opening = openConfigured(config, log)
  const { close, forget } = closeOnSignal(opening)
  try {
    const database = onBehalfOfOperator(await opening)
    if (!anySchema) await refuseOtherSchema(database)
    return await work({ database, acceptedIssuers: acceptedIssuersOf(config), config, log })
  } catch (error) {
    // 0A000: a standby has no unlogged tables, which a command that writes locks first.
    if (error instanceof DatabaseError && error.code === '0A000' && (await opening).server.isStandby)
      refuse('read_only', { detail: 'The database is read-only: set DATABASE_URL to the primary.', cause: error })
    throw error
  } finally {
    await close()
    forget()
  }
}

export function openConfigured({ database, dataDir }: Config, log: Logger): Promise<OpenedDatabase> {
  const { url, schema, preparedStatements } = database
  const limits = { connectTimeoutMs }
  return openDatabase({ ...(url && { url }), schema, dataDir, mode: 'join', limits, preparedStatements, log })
}

/** No request waits behind a command, and a connection to a busy server may take seconds. */
const connectTimeoutMs = 10_000

/** Logs to standard error, because standard output has only the result. */
export function openLog(): Logger {
  return createLog('warn', { destination: pino.destination({ dest: 2, sync: true }) })
}

async function refuseOtherSchema(database: Database): Promise<void> {
  const { fault, pending } = await schemaOf(database, migrationsFolder())
  if (fault !== undefined) throw new Fault(fault)
  const { length } = pending
  if (length === 0) return
  throw new Fault(`The database is ${length === 1 ? 'one migration' : `${length} migrations`} behind: ${pendingAdvice}`)
}

export const pendingAdvice = 'run muster migrate, or start the service.'

/** Without this, Ctrl-C would leave the embedded server running that this command started. */
function closeOnSignal(opening: Promise<Database>): { close: () => Promise<void>; forget: () => void } {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opening.then(
      (database) => database.close(),
      () => undefined, // it did not open: `withDatabase` throws the error
    )
    return closing
  }
  const onInterrupt = () => void close().finally(() => process.exit(130))
  const onTerminate = () => void close().finally(() => process.exit(143))
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onTerminate)
  return {
    close,
    forget() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onTerminate)
    },
  }
}
