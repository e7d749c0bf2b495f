import { collectDefaultMetrics } from '@prometheus-io/client'
import type { Logger } from 'pino'
import { lastDailyBackup } from '../../embedded/index.ts'
import { connectionsMax as connectionsOfProvider } from '../../key-check/index.ts'
import type { Config } from '../config.ts'
import { type ClockOffset, measureClockOffset } from '../platform/database/clock-offset.ts'
import type { Database } from '../platform/database/database.ts'
import { connectionsOutsidePools } from '../platform/database/limits.ts'
import { migrationNames, migrationsFolder, type SchemaWatch, watchSchema } from '../platform/database/schema.ts'
import { descriptorsLimit, descriptorsMax, watchDescriptors } from '../platform/descriptors.ts'
import { type ConnectionLimit, connectionsLimit, connectionsMax } from '../platform/http/connection-limit.ts'
import { createLimitLog, type LimitLog } from '../platform/limit-log.ts'
import { registerMail } from '../platform/mail/mail-status.ts'
import { registerBackup, registerGauges, registerLimits } from '../platform/metrics/gauges.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { packageVersion } from '../platform/package-root.ts'
import { tracedDatabase } from '../platform/tracing/traced-database.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import { registerServiceKeys } from '../service-keys/expiry.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { registerBreachedPasswords } from '../sign-in/passwords/breached-passwords.ts'
import { registerSignInLockouts } from '../sign-in/sessions/account-buckets.ts'
import type { SystemStatus } from '../status/system-contract.ts'
import { exportsLimit } from '../users/list-route.ts'
import { registerWebhooks } from '../webhooks/metrics.ts'
import { makesBackups } from './encryption.ts'
import type { Opening } from './opening.ts'
import { createSystemStatus, type SystemSources } from './system-status.ts'
import { registerUpkeep } from './upkeep.ts'

/** The database and one slow provider may use all their connections at the same time. */
export function openConnectionLimit(database: Database, limitLog: LimitLog): ConnectionLimit {
  const pools = Object.values(database.health().pools)
  const ofDatabase = pools.reduce((sum, { max }) => sum + max, connectionsOutsidePools)
  const max = connectionsMax(descriptorsMax(), ofDatabase + connectionsOfProvider)
  return { max, onReached: () => limitLog.reached(connectionsLimit, max) }
}

/** Starts at zero, so that the first increment is visible to `increase()`. */
const countedLimits = [exportsLimit, connectionsLimit, descriptorsLimit]

/** The state of the node for `/readyz`, metrics, the log and administrators. */
export interface Monitoring {
  readonly metrics: Metrics
  readonly servesMetrics: boolean
  /** Where to send traces. */
  readonly tracing: Tracing | undefined
  readonly clockOffset: ClockOffset
  readonly schema: SchemaWatch
  readonly limitLog: LimitLog
  readonly descriptors: { stop(): void }
  /** The state of the node for administrators. */
  readonly readSystem: () => Promise<SystemStatus>
}

interface Watched extends Pick<SystemSources, 'issuers' | 'billing' | 'backups' | 'isDraining'> {
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly issuer: BuiltInIssuer | undefined
}

/** How often the use of the event loop is measured. The library's default of 100 ms keeps an idle process busy. */
const utilizationMs = 5_000

export async function openMonitoring(
  { config, database, log, now }: Opening,
  { metrics, tracing, issuer, ...watched }: Watched,
): Promise<Monitoring> {
  const { registry } = metrics
  const clockOffset = await measureClockOffset(database, { now, log })
  const schema = await watchSchema(database, { release: await migrationNames(migrationsFolder()), log })
  registerGauges(registry, {
    clockOffsetSeconds: clockOffset.seconds,
    keyStates: () => watched.issuers.keyStates(),
    database: () => database.health(),
    schema: schema.current,
  })
  const limitLog = createLimitLog(log)
  registerLimits(registry, limitLog, countedLimits)
  if (config.metricsToken !== undefined)
    collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: utilizationMs })
  if (issuer) registerSignInLockouts(registry, database)
  if (issuer && config.issuer.pwnedPasswordsUrl) registerBreachedPasswords(registry, issuer.breached)
  if (config.mail) registerMail(registry, database)
  registerServiceKeys(registry, database)
  registerWebhooks(registry, database)
  registerUpkeep(registry, database)
  if (makesBackups(config)) registerBackup(registry, () => lastDailyBackup(config.dataDir))
  const sources = { ...watched, database, clockOffset, schema, limitLog, limits: countedLimits }
  return {
    metrics,
    servesMetrics: config.metricsToken !== undefined,
    tracing,
    clockOffset,
    schema,
    limitLog,
    descriptors: watchDescriptors(limitLog),
    readSystem: createSystemStatus(config, sources),
  }
}

/** Loads the libraries of OpenTelemetry only if tracing is enabled. */
export async function openTracing(
  { tracing: settings, outgoingProxies: proxies }: Config,
  database: Database,
  log: Logger,
) {
  if (settings === undefined) return { tracing: undefined, database }
  const otlp = await import('../platform/tracing/otlp.ts')
  const tracing = await otlp.openOtlp(settings, { version: packageVersion(), proxies, log })
  return { tracing, database: tracedDatabase(database, tracing) }
}
