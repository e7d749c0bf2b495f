import { type Logger, pino } from 'pino'
import { type Config, readConfig } from '../src/config.ts'
import type { Database } from '../src/platform/database/database.ts'
import { migrationsFolder, pendingMigrations } from '../src/platform/database/migrate.ts'
import { openDatabase } from '../src/platform/database/open.ts'
import { createLog } from '../src/platform/log.ts'
import { Fault } from './fault.ts'

/** What an operator's command works with. */
export interface CommandContext {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
}

/**
 * Does `work` on the configured database, beside a running service or alone, and closes it whatever happens. Where nobody else runs the
 * embedded server it is started, and stopped again. Only `migrate` and the service change the schema: with `anySchema` unset, a
 * database that is behind is a fault.
 */
export async function withDatabase<Result>(
  work: (bench: CommandContext) => Promise<Result>,
  { anySchema = false }: { anySchema?: boolean } = {},
): Promise<Result> {
  const config = readConfig(process.env)
  const log = openLog()
  const opening = openConfigured(config, log)
  const { close, forget } = closeOnSignal(opening)
  try {
    const database = await opening
    if (!anySchema) await refusePending(database)
    return await work({ database, config, log })
  } finally {
    await close()
    forget()
  }
}

export function openConfigured({ database, dataDir }: Config, log: Logger): Promise<Database> {
  const { url, preparedStatements } = database
  return openDatabase({ ...(url && { url }), dataDir, mode: 'join', preparedStatements, log })
}

/** What the rooms log goes where it cannot be taken for the result. */
export function openLog(): Logger {
  return createLog('warn', { destination: pino.destination({ dest: 2, sync: true }) })
}

async function refusePending(database: Database): Promise<void> {
  const { length } = await pendingMigrations(database, migrationsFolder())
  if (length === 0) return
  throw new Fault(`The database is ${length === 1 ? 'one migration' : `${length} migrations`} behind: ${pendingAdvice}`)
}

export const pendingAdvice = 'run muster migrate, or start the service.'

/** Without this, Ctrl-C would leave the embedded server behind that this command started, or was about to. */
function closeOnSignal(opening: Promise<Database>): { close: () => Promise<void>; forget: () => void } {
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= opening.then(
      (database) => database.close(),
      () => undefined, // what was not opened is not closed; `withDatabase` tells why
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
