import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { buildApp, type Parts } from './app.ts'
import { openBilling } from './billing/billing.ts'
import { scheduleSync } from './billing/schedule.ts'
import type { SubscriptionSource } from './billing/sync.ts'
import { type Config, readConfig } from './config.ts'
import { closeParts, openBuiltInIssuer, openParts } from './parts.ts'
import { joinPeers, type Peers } from './platform/cluster/peers.ts'
import { startWorkerPool } from './platform/cluster/worker-pool.ts'
import type { Database } from './platform/database/database.ts'
import type { EmbeddedMode } from './platform/database/embedded.ts'
import { migrate, migrationsFolder } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open.ts'
import { errorCode } from './platform/error-code.ts'
import { createLog, written } from './platform/log.ts'
import { packageVersion } from './platform/package-root.ts'
import type { Environment } from './platform/settings.ts'
import { StartError } from './platform/start-error.ts'
import { makeFirstAdmin } from './sign-in/first-admin.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { sideConnectionShare, workerCount, workerShare } from './worker-share.ts'

/**
 * Runs the service until it is told to stop (SIGTERM, SIGINT): it stops accepting, lets requests in flight finish, closes the
 * database. Throws `ConfigError` and `StartError` where it cannot start; each says what to do.
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env)
  const worker = cluster.worker?.id
  const log = createLog(config.logLevel, worker === undefined ? {} : { base: { worker } })
  const workers = workerCount(config)
  if (workers === 1) await serveAlone(config, log)
  else if (cluster.isPrimary) await serveByWorkers(config, workers, log)
  else await serveAsWorker(config, workers, log)
}

async function serveAlone(config: Config, log: Logger): Promise<void> {
  const database = await open(config, 'own', log)
  await closingOnFailure(database, async () => {
    await migrate(database, migrationsFolder(), log)
    await answer(config, database, log)
  })
}

/** The primary process has the database, and does once what is done once for a node. It answers no requests. */
async function serveByWorkers(config: Config, workers: number, log: Logger): Promise<void> {
  const database = await open(workerShare(config, workers), 'own', log, workers)
  await closingOnFailure(database, async () => {
    await migrate(database, migrationsFolder(), log)
    await prepareIssuer(config, database, log)
    const billing = { ...config.billing, registry: new Registry(), log, now: Date.now }
    const sources = (await openBilling(database, billing))?.sources
    const pool = startWorkerPool({ count: workers, log })
    const sync = schedule(sources, database, config, log)
    const close = async () => {
      await pool.stop()
      await sync.stop()
    }
    const told = drainWhenTold(config, log, () => close().then(() => database.close()))
    const address = await pool.ready.catch(async (error: unknown) => {
      told.uninstall()
      await close()
      throw error
    })
    log.info({ address, publicUrl: config.publicUrl, version: packageVersion(), workers }, 'ready')
  })
}

async function prepareIssuer(config: Config, database: Database, log: Logger): Promise<void> {
  const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
  if (issuer && !config.database.url) await introduceFirstAdmin(database, issuer, config, log)
}

async function serveAsWorker(config: Config, workers: number, log: Logger): Promise<void> {
  const peers = joinPeers(workers)
  const share = workerShare(config, workers)
  try {
    const database = await open(share, 'join', log, workers)
    await closingOnFailure(database, () => answer(share, database, log, peers))
  } catch (error) {
    const isExplained = error instanceof StartError
    peers.sendFailed(
      isExplained ? error.message : error instanceof Error ? `${error.stack}` : String(error),
      isExplained,
    )
  }
}

function open(config: Config, mode: EmbeddedMode, log: Logger, workers = 1): Promise<Database> {
  const { url, preparedStatements, connectionsMax } = config.database
  const { exportsMax: streamsMax } = config.limits
  return openDatabase({
    ...(url && { url }),
    dataDir: config.dataDir,
    mode,
    limits: { connectionsMax, streamsMax, sideConnectionsMax: sideConnectionShare(workers) },
    preparedStatements,
    log,
  })
}

async function closingOnFailure(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Answers requests until the process is told to stop: alone, or as one of several workers. */
async function answer(config: Config, database: Database, log: Logger, peers?: Peers): Promise<void> {
  const state = { isDraining: false }
  const parts = await openParts(config, database, { log, isDraining: () => state.isDraining, peers })
  try {
    await start(config, parts, state, peers)
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

async function start(config: Config, parts: Parts, state: { isDraining: boolean }, peers?: Peers): Promise<void> {
  const { database, log, issuer } = parts
  if (issuer && !config.database.url && !peers) await introduceFirstAdmin(database, issuer, config, log)
  const app = buildApp(parts)
  if (parts.servesMetrics) collectDefaultMetrics({ register: parts.metrics.registry })
  const address = await listen(app, config)
  const sync = peers ? undefined : schedule(parts.billing?.sources, database, config, log)
  drainWhenTold(config, log, async () => {
    state.isDraining = true
    const cut = setTimeout(() => app.server.closeAllConnections(), config.drainSeconds * 1_000)
    // A connection whose last answer left meanwhile would be kept for its next request, and waited for.
    const idle = setInterval(() => app.server.closeIdleConnections(), idleLookMs)
    await app.close()
    clearInterval(idle)
    clearTimeout(cut)
    await sync?.stop()
    await closeParts(parts)
    await database.close()
  })
  if (peers) reportTo(peers, address, state)
  else log.info({ address, publicUrl: config.publicUrl, version: parts.version }, 'ready')
}

/** How soon after its last answer a connection ends while the process drains. */
const idleLookMs = 100

/** Ctrl-C in a terminal reaches the workers as well; a second word would cut what the first one lets finish. */
function reportTo(peers: Peers, address: string, state: { readonly isDraining: boolean }): void {
  peers.onStop(() => {
    if (!state.isDraining) process.kill(process.pid, 'SIGTERM')
  })
  peers.sendReady(address)
}

function schedule(sources: readonly SubscriptionSource[] = [], database: Database, config: Config, log: Logger) {
  return scheduleSync(database, sources, { everyHours: config.billing.syncHours, log })
}

function drainWhenTold({ drainSeconds }: Config, log: Logger, drain: () => Promise<void>): { uninstall(): void } {
  return closeWithGrace({ delay: (drainSeconds + 15) * 1_000, logger: false }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'stopping after an error that nobody caught')
    else log.info({ signal }, 'draining')
    await drain()
    log.info('stopped')
    await written(log)
  })
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
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} of ${host} is taken: stop what listens there, or set MUSTER_PORT to another.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set MUSTER_PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine: set MUSTER_HOST to one that is.`)
    throw error
  }
}
