import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { buildApp, type Parts } from './app.ts'
import { openBilling } from './billing/billing.ts'
import { scheduleSync } from './billing/schedule.ts'
import type { SubscriptionSource } from './billing/sync.ts'
import { type Config, openSignUpWarning, readConfig } from './config.ts'
import { clearTextWarnings, memoryWarning } from './environment-checks.ts'
import { administratorAdvice, hasAdministrator } from './identity/administrators.ts'
import { closeParts, openBuiltInIssuer, openParts, openTracing, openWebhooks } from './parts.ts'
import { joinPeers, type Peers } from './platform/cluster/peers.ts'
import { startWorkerPool } from './platform/cluster/worker-pool.ts'
import type { Database } from './platform/database/database.ts'
import type { EmbeddedMode } from './platform/database/embedded.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open.ts'
import { migrationsFolder } from './platform/database/schema.ts'
import { listen } from './platform/http/listen.ts'
import { createLog } from './platform/log.ts'
import { readTemplates } from './platform/mail/templates.ts'
import { packageVersion } from './platform/package-root.ts'
import type { Environment } from './platform/settings.ts'
import { stopOnSignal } from './platform/shutdown.ts'
import { StartError } from './platform/start-error.ts'
import { tracedDatabase } from './platform/tracing/traced-database.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { watchExpiry } from './service-keys/expiry.ts'
import { makeConfiguredAdmin, makeFirstAdmin } from './sign-in/first-admin.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { openMailWork, startMailLoop } from './sign-in/mail-work.ts'
import { scheduleUpkeep } from './upkeep.ts'
import { startWebhookLoop } from './webhooks/loop.ts'
import { sideConnectionShare, workerCount, workerShare } from './worker-share.ts'

/**
 * Runs the service until SIGTERM or SIGINT. Then `/readyz` is 503 while load balancers turn to other nodes; after that the service
 * stops accepting connections, finishes the requests in flight and closes the database. A second signal ends it at once.
 * Throws `ConfigError` and `StartError` where it cannot start; each says what to do.
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env)
  // Before anything is opened: a text that is not usable stops the start.
  if (config.mail) readTemplates(config.mail.folder)
  const worker = cluster.worker?.id
  const log = createLog(config.logLevel, worker === undefined ? {} : { base: { worker } })
  const workers = workerCount(config)
  if (cluster.isPrimary) warnOf(config, log)
  if (workers === 1) await serveAlone(config, log)
  else if (cluster.isPrimary) await servePrimary(config, workers, log)
  else await serveWorker(config, workers, log)
}

/** Settings that are allowed and dangerous. */
function warnOf(config: Config, log: Logger): void {
  for (const { text } of clearTextWarnings(config)) log.warn(text)
  const openSignUp = openSignUpWarning(config)
  if (openSignUp) log.warn(openSignUp)
  const memory = memoryWarning(process.constrainedMemory())
  if (memory) log.warn(memory)
}

async function serveAlone(config: Config, log: Logger): Promise<void> {
  const database = await open(config, 'own', log)
  await closeOnFailure(database, async () => {
    await migrate(database, migrationsFolder(), log)
    await serveRequests(config, database, log)
  })
}

/** The primary opens the database first and does what a node does once. It serves no requests. */
async function servePrimary(config: Config, workers: number, log: Logger): Promise<void> {
  const database = await open(workerShare(config, workers), 'own', log, workers)
  await closeOnFailure(database, async () => {
    await migrate(database, migrationsFolder(), log)
    const issuer = await openBuiltInIssuer(config, database, { now: Date.now, log })
    await createFirstAdmin(config, database, issuer, log)
    const billing = { ...config.billing, registry: new Registry(), log, now: Date.now }
    const sources = (await openBilling(database, billing))?.sources
    const pool = startWorkerPool({ count: workers, log })
    const tracing = await openTracing(config, { version: packageVersion(), log })
    const traced = tracing ? tracedDatabase(database, tracing) : database
    const once = await startOnce(config, traced, log, { sources, issuer, tracing })
    const stop = async () => {
      await pool.stop()
      await once.stop()
      await tracing?.close()
    }
    const drain = drainOnSignal(config, log, () => stop().then(() => database.close()))
    const address = await pool.ready.catch(async (error: unknown) => {
      drain.uninstall()
      await stop()
      throw error
    })
    log.info({ address, publicUrl: config.publicUrl, version: packageVersion(), workers }, 'ready')
  })
}

async function serveWorker(config: Config, workers: number, log: Logger): Promise<void> {
  const peers = joinPeers(workers)
  const share = workerShare(config, workers)
  try {
    const database = await open(share, 'join', log, workers)
    await closeOnFailure(database, () => serveRequests(share, database, log, peers))
  } catch (error) {
    const isExplained = error instanceof StartError
    const stack = error instanceof Error ? `${error.stack}` : String(error)
    peers.sendFailed(isExplained ? error.message : stack, isExplained)
  }
}

/** Until the process is stopped: alone, or as one of several workers. */
async function serveRequests(config: Config, database: Database, log: Logger, peers?: Peers): Promise<void> {
  const state = { isDraining: false }
  const parts = await openParts(config, database, { log, isDraining: () => state.isDraining, peers })
  try {
    await startServer(config, parts, state, peers)
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

async function startServer(config: Config, parts: Parts, state: { isDraining: boolean }, peers?: Peers): Promise<void> {
  const { database, log, issuer, tracing } = parts
  if (!peers) await createFirstAdmin(config, database, issuer, log)
  const app = buildApp(parts)
  const address = await listen(app, config)
  const sources = parts.billing?.sources
  const once = peers ? undefined : await startOnce(config, database, log, { sources, issuer, tracing })
  drainOnSignal(config, log, async (isHurried) => {
    state.isDraining = true
    if (!isHurried) await setTimeout(lameDuckSeconds(config) * 1_000)
    await closeServer(app, config)
    await once?.stop()
    await closeParts(parts)
    await database.close()
  })
  if (peers) reportReady(peers, address, state)
  else log.info({ address, publicUrl: config.publicUrl, version: parts.version }, 'ready')
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
    processes: workers,
    log,
  })
}

async function closeOnFailure(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Makes the administrator of the settings, or at the first start of the embedded database one with a generated password; otherwise a
 * line says which command does.
 * Shows the credentials on a terminal. Elsewhere the log names their file only, because a log must not contain a secret.
 */
async function createFirstAdmin(
  config: Config,
  database: Database,
  issuer: BuiltInIssuer | undefined,
  log: Logger,
): Promise<void> {
  const { email, password } = config.issuer.firstAdmin
  if (issuer && password && (await makeConfiguredAdmin(database, issuer, { email, password })))
    return log.info({ email }, 'created the first administrator, with the password of the settings')
  const admin =
    issuer && !password && !config.database.url
      ? await makeFirstAdmin(database, issuer, { ...config, email })
      : undefined
  if (!admin) {
    if (!(await hasAdministrator(database))) log.warn(administratorAdvice(issuer !== undefined))
    return
  }
  if (process.stdout.isTTY) process.stdout.write(`\n${admin.summary.open()}\n`)
  else log.info({ path: admin.path }, 'created the first administrator: this file has the credentials')
}

interface OnceParts {
  readonly sources?: readonly SubscriptionSource[] | undefined
  readonly issuer: BuiltInIssuer | undefined
  readonly tracing: Tracing | undefined
}

/** What one process of a node does in the background. */
async function startOnce(
  config: Config,
  database: Database,
  log: Logger,
  { sources = [], issuer, tracing }: OnceParts,
) {
  const traceJob = tracing?.job
  const mail =
    config.mail && issuer ? startMailLoop(await openMailWork(issuer, config.mail, { log, traceJob }), log) : undefined
  const sync = scheduleSync(database, sources, { everyHours: config.billing.syncHours, log, traceJob })
  const webhooks = await startWebhooks(config, database, log)
  const expiry = watchExpiry(database, log)
  const erasure = { afterDays: config.retention.eraseAfterDays, dataDir: config.dataDir, log }
  const upkeep = scheduleUpkeep(database, { erasure, retention: config.retention, log, traceJob })
  return {
    async stop() {
      await upkeep.stop()
      await mail?.stop()
      await webhooks?.stop()
      await expiry.stop()
      await sync.stop()
    },
  }
}

async function startWebhooks(config: Config, database: Database, log: Logger) {
  const endpoints = openWebhooks(config, database)
  return endpoints && startWebhookLoop({ ...endpoints, version: packageVersion(), now: Date.now, log })
}

function reportReady(peers: Peers, address: string, state: { readonly isDraining: boolean }): void {
  peers.onStop(() => {
    // Ctrl-C in a terminal reaches the workers as well; a second signal would cut the requests in flight.
    if (!state.isDraining) process.kill(process.pid, 'SIGTERM')
  })
  peers.sendReady(address)
}

function drainOnSignal(config: Config, log: Logger, stop: (isHurried: boolean) => Promise<void>) {
  return stopOnSignal({ log, timeoutMs: (lameDuckSeconds(config) + config.drainSeconds + 15) * 1_000, stop })
}

/** Load balancers need the time to notice that `/readyz` is 503. At a terminal there are none. */
function lameDuckSeconds({ lameDuckSeconds }: Config): number {
  return lameDuckSeconds ?? (process.stdout.isTTY ? 0 : 5)
}

/** How soon after its last response a connection is closed while the process drains. */
const idleCheckMs = 100

/** Resolves when the requests in flight are finished, or cut after `drainSeconds`. */
async function closeServer(app: FastifyInstance, { drainSeconds }: Config): Promise<void> {
  const cut = globalThis.setTimeout(() => app.server.closeAllConnections(), drainSeconds * 1_000)
  // A connection that finishes its response now would be kept alive for a next request, and `close` would wait for it.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
  await app.close()
  clearInterval(idle)
  clearTimeout(cut)
}
