import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type DailyBackups, scheduleDailyBackups } from '../embedded/index.ts'
import { buildApp } from './app.ts'
import { scheduleSync } from './billing/schedule.ts'
import type { SubscriptionSource } from './billing/sync.ts'
import { type Config, openSignUpWarning, readConfig } from './config.ts'
import { administratorAdvice, hasAdministrator } from './identity/administrators.ts'
import type { Database } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open.ts'
import { migrationsFolder } from './platform/database/schema.ts'
import { listen } from './platform/http/listen.ts'
import { createLog } from './platform/log.ts'
import { readTemplates } from './platform/mail/templates.ts'
import { packageVersion } from './platform/package-root.ts'
import type { Environment } from './platform/settings.ts'
import { stopOnSignal } from './platform/shutdown.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { openWebhooks } from './service/open-webhooks.ts'
import type { Parts } from './service/parts.ts'
import { closeParts, openParts } from './service/parts.ts'
import { scheduleUpkeep } from './service/upkeep.ts'
import { watchExpiry } from './service-keys/expiry.ts'
import { clearTextWarnings } from './settings/database.ts'
import { memoryWarning } from './settings/environment.ts'
import { makeConfiguredAdmin, makeFirstAdmin } from './sign-in/first-admin.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { openMailWork, startMailLoop } from './sign-in/open-issuer.ts'
import { acceptedIssuersOf } from './sign-in/settings.ts'
import { startWebhookLoop } from './webhooks/deliver.ts'

/**
 * Runs the service until SIGTERM or SIGINT. Then `/readyz` responds with 503 until load balancers choose other nodes;
 * after that the service closes the port, finishes running requests and closes the database. A second signal ends the
 * process immediately. Throws `ConfigError` or `StartError` if it cannot start; the message says what to do.
 */
export async function serve(env: Environment): Promise<void> {
  const config = readConfig(env)
  // First, so that an invalid text stops the start before anything is opened.
  if (config.mail) readTemplates(config.mail.folder)
  const log = createLog(config.logLevel)
  warnOf(config, log)
  const database = await open(config, log)
  try {
    await migrate(database, migrationsFolder(), log)
    await serveRequests(config, database, log)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Settings that work but are unsafe. */
function warnOf(config: Config, log: Logger): void {
  for (const { text } of clearTextWarnings(config)) log.warn(text)
  const openSignUp = openSignUpWarning(config)
  if (openSignUp) log.warn(openSignUp)
  const memory = memoryWarning(process.constrainedMemory())
  if (memory) log.warn(memory)
}

/** Returns when the process is stopped. */
async function serveRequests(config: Config, database: Database, log: Logger): Promise<void> {
  const state = { isDraining: false }
  const parts = await openParts(config, database, { log, isDraining: () => state.isDraining })
  try {
    await startServer(config, parts, state)
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

async function startServer(config: Config, parts: Parts, state: { isDraining: boolean }): Promise<void> {
  const { database, log, issuer, monitoring } = parts
  await createFirstAdmin(config, database, issuer, log)
  const app = buildApp(parts)
  const address = await listen(app, config)
  const background = await startBackground(config, database, log, {
    sources: parts.billing?.sources,
    backups: parts.backups,
    issuer,
    tracing: monitoring.tracing,
  })
  drainOnSignal(config, log, async (isHurried) => {
    state.isDraining = true
    if (!isHurried) await setTimeout(lameDuckSeconds(config) * 1_000)
    await closeServer(app, config)
    await background.stop()
    await closeParts(parts)
    await database.close()
  })
  log.info({ address, publicUrl: config.publicUrl, version: packageVersion() }, 'ready')
}

function open(config: Config, log: Logger): Promise<Database> {
  const { url, schema, preparedStatements, connectionsMax } = config.database
  const { exportsMax: streamsMax } = config.limits
  return openDatabase({
    ...(url && { url }),
    schema,
    dataDir: config.dataDir,
    mode: 'own',
    limits: { connectionsMax, streamsMax },
    preparedStatements,
    log,
  })
}

/**
 * Creates the administrator of the settings or, at the first start of the embedded database, one with a generated
 * password. Otherwise logs the command for it. Prints the credentials only on a terminal. Elsewhere the log names their
 * file, because a log must not contain secrets.
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
    if (!(await hasAdministrator(database, acceptedIssuersOf(config))))
      log.warn(administratorAdvice(issuer !== undefined))
    return
  }
  if (process.stdout.isTTY) process.stdout.write(`\n${admin.summary.open()}\n`)
  else log.info({ path: admin.path }, 'created the first administrator; the credentials are in this file')
}

interface BackgroundParts {
  readonly sources?: readonly SubscriptionSource[] | undefined
  readonly backups: DailyBackups | undefined
  readonly issuer: BuiltInIssuer | undefined
  readonly tracing: Tracing | undefined
}

async function startBackground(
  config: Config,
  database: Database,
  log: Logger,
  { sources = [], backups: made, issuer, tracing }: BackgroundParts,
) {
  const traceJob = tracing?.job
  const mail =
    config.mail && issuer ? startMailLoop(await openMailWork(issuer, config.mail, { log, traceJob }), log) : undefined
  const sync = scheduleSync(database, sources, { everyHours: config.billing.syncHours, log, traceJob })
  const webhooks = await startWebhooks(config, database, log)
  const expiry = watchExpiry(database, log)
  const erasure = { afterDays: config.retention.eraseAfterDays, dataDir: config.dataDir, log }
  const upkeep = scheduleUpkeep(database, { erasure, retention: config.retention, log, traceJob })
  const backups = made && scheduleDailyBackups(made)
  return {
    async stop() {
      await backups?.stop()
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
  return endpoints && startWebhookLoop({ ...endpoints, proxies: config.outgoingProxies, now: Date.now, log })
}

function drainOnSignal(config: Config, log: Logger, stop: (isHurried: boolean) => Promise<void>) {
  return stopOnSignal({ log, timeoutMs: (lameDuckSeconds(config) + config.drainSeconds + 15) * 1_000, stop })
}

/** Load balancers need time to see the 503 of `/readyz`. A terminal has no load balancer. */
function lameDuckSeconds({ lameDuckSeconds }: Config): number {
  return lameDuckSeconds ?? (process.stdout.isTTY ? 0 : 5)
}

/** Keep-alive timeout while draining. */
const idleCheckMs = 100

/** Resolves when the running requests are finished, or aborts them after `drainSeconds`. */
async function closeServer(app: FastifyInstance, { drainSeconds }: Config): Promise<void> {
  const cut = globalThis.setTimeout(() => app.server.closeAllConnections(), drainSeconds * 1_000)
  // A response that finishes now would keep its connection alive, and `close` would wait for it.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
  await app.close()
  clearInterval(idle)
  clearTimeout(cut)
}
