import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics } from 'prom-client'
import { buildApp, type Parts } from './app.ts'
import { scheduleSync } from './billing/schedule.ts'
import { type Config, readConfig } from './config.ts'
import type { Database } from './database/database.ts'
import { migrate, migrationsFolder } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { StartError } from './database/start-error.ts'
import { makeFirstAdmin } from './first-start.ts'
import type { BuiltInIssuer } from './issuer/issuer.ts'
import { createLog } from './log.ts'
import { closeParts, openParts } from './open-parts.ts'
import type { Environment } from './settings.ts'

/**
 * Runs the service until it is told to stop (SIGTERM, SIGINT): it stops accepting, lets requests in flight finish, closes the
 * database. Throws `ConfigError` and `StartError` where it cannot start; each says what to do.
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  const { url, preparedStatements, connectionsMax } = config.database
  const database = await openDatabase({
    ...(url && { url }),
    dataDir: config.dataDir,
    mode: 'own',
    limits: { connectionsMax, streamsMax: config.limits.exportsMax },
    preparedStatements,
    log,
  })
  try {
    await migrate(database, migrationsFolder(), log)
    await open(config, database, log)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function open(config: Config, database: Database, log: Logger): Promise<void> {
  const state = { isDraining: false }
  const parts = await openParts(config, database, { log, isDraining: () => state.isDraining })
  try {
    await start(config, parts, state)
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

async function start(config: Config, parts: Parts, state: { isDraining: boolean }): Promise<void> {
  const { database, log } = parts
  if (parts.issuer && !config.database.url) await introduceFirstAdmin(database, parts.issuer, config, log)
  const app = buildApp(parts)
  if (parts.servesMetrics) collectDefaultMetrics({ register: parts.metrics.registry })
  const address = await listen(app, config)
  const { billing } = parts
  const source = billing?.source
  const sync = source && scheduleSync(database, source, { everyHours: config.billing.syncHours, log })

  closeWithGrace({ delay: (config.drainSeconds + 15) * 1_000, logger: false }, async ({ err, signal }) => {
    state.isDraining = true
    if (err) log.fatal({ err }, 'stopping after an error that nobody caught')
    else log.info({ signal }, 'draining')
    const cut = setTimeout(() => app.server.closeAllConnections(), config.drainSeconds * 1_000)
    await app.close()
    clearTimeout(cut)
    await sync?.stop()
    await closeParts(parts)
    await database.close()
    log.info('stopped')
  })

  log.info({ address, publicUrl: config.publicUrl, version: parts.version }, 'ready')
}

/** On a terminal the text is shown, once; elsewhere only the place of the file, because a log must not hold a secret. */
async function introduceFirstAdmin(
  database: Database,
  issuer: BuiltInIssuer,
  config: Config,
  log: Logger,
): Promise<void> {
  const admin = await makeFirstAdmin(database, issuer, config)
  if (!admin) return
  if (process.stdout.isTTY) process.stdout.write(`\n${admin.text.open()}\n`)
  else log.info({ path: admin.path }, 'the first administrator is described in this file')
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} of ${host} is taken: stop what listens there, or set MUSTER_PORT to another.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set MUSTER_PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine: set MUSTER_HOST to one that is.`)
    throw error
  }
}
