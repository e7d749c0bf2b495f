import type { Logger } from 'pino'
import type { DailyBackups } from '../../embedded/index.ts'
import type { KeyChecks } from '../../key-check/index.ts'
import { builtGuideFolder, findGuideFiles, type GuideFiles } from '../api-docs/guide-files.ts'
import { type Billing, openBilling } from '../billing/billing.ts'
import type { BillingSettings } from '../billing/status.ts'
import type { Config } from '../config.ts'
import { builtConsoleFolder, type ConsoleFiles, readConsoleFiles } from '../console/files.ts'
import { type ConsoleIssuer, consoleIssuers } from '../console/sign-in-options.ts'
import type { AcceptedIssuers } from '../identity/administrators.ts'
import { type Authenticate, createAuthenticate } from '../identity/authenticate.ts'
import type { ErasureSettings } from '../identity/erase-account.ts'
import { type Issuers, openIssuers } from '../identity/issuers/open-issuers.ts'
import type { KeyCheckParts } from '../key-checks/single-check.ts'
import { createAuditRecorder, type RecordAudit } from '../platform/audit/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { ClockOffset } from '../platform/database/clock-offset.ts'
import type { Database } from '../platform/database/database.ts'
import { readSharedKey } from '../platform/database/keyring.ts'
import type { SchemaWatch } from '../platform/database/schema-watch.ts'
import type { ConnectionLimit } from '../platform/http/connection-limit.ts'
import { createCursors } from '../platform/http/cursors.ts'
import { type UntrustedProxies, watchUntrustedProxies } from '../platform/http/untrusted-proxies.ts'
import type { LimitLog } from '../platform/limit-log.ts'
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { NodeLimits, RateLimits } from '../platform/rate-limit/rate-limits.ts'
import { tracedDatabase } from '../platform/tracing/traced-database.ts'
import type { Tracing } from '../platform/tracing/tracing.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { type HashingLimits, hashingLimits } from '../sign-in/passwords/hashing-queue.ts'
import { acceptedIssuersOf } from '../sign-in/settings.ts'
import { createMetricsTokenCheck } from '../status/metrics-token.ts'
import type { SystemStatus } from '../status/system-contract.ts'
import type { ListSettings } from '../users/list-route.ts'
import type { Endpoints } from '../webhooks/endpoints.ts'
import { openBackups, openBuiltInIssuer, openWebhooks } from './encryption.ts'
import { openKeyChecks } from './key-checks.ts'
import { openLimits, openNodeLimits } from './limits.ts'
import { countedLimits, openConnectionLimit, openMonitoring } from './monitoring.ts'
import { createSystemStatus } from './system-status.ts'

/** The web console, unless it is switched off. */
export interface Console {
  /** Absent where the console was not built. */
  readonly files?: ConsoleFiles | undefined
  /** Other issuers at which it signs users in. */
  readonly issuers: readonly ConsoleIssuer[]
}

/** What the service is made of. The code that opened a part closes it. */
export interface Parts {
  readonly database: Database
  /** Of the embedded database, unless they are switched off. */
  readonly backups?: DailyBackups | undefined
  readonly issuers: Issuers
  readonly authenticate: Authenticate
  readonly listSettings: ListSettings
  /** For which events of the audit trail are kept; 0 for ever. */
  readonly auditDays: number
  readonly keyChecks: KeyChecks
  readonly billing?: Billing | undefined
  readonly billingSettings: BillingSettings
  readonly issuer?: BuiltInIssuer | undefined
  readonly webhooks?: Endpoints | undefined
  readonly console?: Console | undefined
  readonly guide: GuideFiles
  readonly erasure: ErasureSettings
  readonly acceptedIssuers: AcceptedIssuers
  readonly recordAudit: RecordAudit
  readonly limits: RateLimits<'key-checks' | 'sign-ins' | 'wide-sign-ins' | 'device-sign-ins'>
  readonly nodeLimits: NodeLimits
  readonly fingerprintKey: Buffer
  readonly failedKeysMax: KeyCheckParts['failedKeysMax']
  readonly metrics: Metrics
  readonly servesMetrics: boolean
  readonly checkMetricsToken: (rawHeaders: readonly string[]) => void
  readonly log: Logger
  readonly version: string
  readonly trustedProxies: readonly string[]
  readonly untrustedProxies: UntrustedProxies
  readonly hostNames: readonly string[] | undefined
  readonly allowedOrigins: readonly string[]
  readonly isDraining: () => boolean
  readonly clockOffset: ClockOffset
  readonly schema: SchemaWatch
  /** The state of the node for administrators. */
  readonly readSystem: () => Promise<SystemStatus>
  /** Where requests are traced. */
  readonly tracing?: Tracing | undefined
  readonly descriptors: { stop(): Promise<void> }
  readonly connectionLimit: ConnectionLimit
}

export interface PartsSurroundings {
  readonly log: Logger
  readonly now?: Clock | undefined
  readonly isDraining: () => boolean
  /** Tests wait longer than people do. */
  readonly hashing?: HashingLimits
  /** Where the built console is; tests have a small one. */
  readonly consoleFolder?: string | undefined
  /** Where the built documentation is. */
  readonly guideFolder?: string | undefined
}

/** The rooms over an open, migrated database: for the service, and for tests with a clock of their own. */
export async function openParts(
  config: Config,
  opened: Database,
  { log, now, isDraining, hashing, ...folders }: PartsSurroundings,
): Promise<Parts> {
  const version = packageVersion()
  const tracing = await openTracing(config, { version, log })
  const database = tracing ? tracedDatabase(opened, tracing) : opened
  const hashingOf = hashing ?? hashingLimits(config.limits)
  const issuer = await openBuiltInIssuer(config, database, { now: now ?? Date.now, hashing: hashingOf, log })
  const nodeLimits = openNodeLimits(config, now ?? Date.now)
  const known = { builtIn: issuer?.entry, newAccounts: nodeLimits['new-accounts'] }
  const issuers = await openIssuers(config.issuers, { ...known, database, now: now ?? Date.now, log })
  const metrics = createMetrics(version, { hasExemplars: tracing !== undefined })
  const { registry } = metrics
  const watched = { issuer, issuers, registry }
  const { limitLog, ...watches } = await openMonitoring(config, database, watched, { log, now: now ?? Date.now })
  const fingerprintKey = await readSharedKey(database, 'fingerprint')
  const checks = await openKeyChecks(config, database, { digestKey: fingerprintKey, log, now, metrics, tracing })
  const billing = await openBilling(database, { ...config.billing, registry, log, now: now ?? Date.now })
  const backups = openBackups(config, database, { log, now: now ?? Date.now })
  const seen = { database, issuers, backups, limitLog, billing, version, isDraining, ...watches }
  return {
    ...configuredParts(config, folders),
    database,
    backups,
    readSystem: createSystemStatus(config, { ...seen, limits: countedLimits }),
    issuers,
    authenticate: createAuthenticate(issuers.byName, now ?? Date.now),
    listSettings: await openListSettings(config, database, limitLog),
    keyChecks: checks,
    billing,
    issuer,
    webhooks: openWebhooks(config, database),
    erasure: { afterDays: config.retention.eraseAfterDays, dataDir: config.dataDir, outbox: issuer?.outbox, log },
    recordAudit: createAuditRecorder(database),
    limits: openLimits(config, database, now ?? Date.now),
    nodeLimits,
    fingerprintKey,
    failedKeysMax: config.limits.failedKeysMax,
    log,
    metrics,
    version,
    tracing,
    untrustedProxies: watchUntrustedProxies({ log, count: metrics.countUntrustedForward }),
    isDraining,
    connectionLimit: openConnectionLimit(database, limitLog),
    ...watches,
  }
}

/** What follows from the settings and the built files alone. */
function configuredParts(config: Config, folders: Pick<PartsSurroundings, 'consoleFolder' | 'guideFolder'>) {
  const { trustedProxies, hostNames, allowedOrigins } = config
  return {
    acceptedIssuers: acceptedIssuersOf(config),
    auditDays: config.retention.auditDays,
    billingSettings: config.billing,
    console: config.servesConsole
      ? {
          files: readConsoleFiles(folders.consoleFolder ?? builtConsoleFolder()),
          issuers: consoleIssuers(config.issuers),
        }
      : undefined,
    guide: findGuideFiles(folders.guideFolder ?? builtGuideFolder()),
    servesMetrics: config.metricsToken !== undefined,
    checkMetricsToken: createMetricsTokenCheck(config.metricsToken),
    trustedProxies,
    hostNames,
    allowedOrigins,
  }
}

/** The libraries of OpenTelemetry are loaded only where spans are wanted. */
async function openTracing({ tracing }: Config, options: { version: string; log: Logger }) {
  if (tracing === undefined) return undefined
  const otlp = await import('../platform/tracing/otlp.ts')
  return otlp.openTracing(tracing, options)
}

/** Stops what the parts run in the background. Its caller closes the database afterwards. */
export async function closeParts(parts: Parts): Promise<void> {
  const { issuers, keyChecks, descriptors, tracing, billing } = parts
  await tracing?.close()
  await billing?.manualSync.stop()
  await descriptors.stop()
  await issuers.close()
  await keyChecks.close()
}

async function openListSettings(
  { limits }: Config,
  database: Database,
  limitLog: LimitLog,
): Promise<Parts['listSettings']> {
  return {
    cursors: createCursors(await readSharedKey(database, 'cursor')),
    exportsMax: limits.exportsMax,
    stallMs: limits.exportStallSeconds * 1_000,
    wholeMs: limits.exportSeconds * 1_000,
    limitLog,
  }
}
