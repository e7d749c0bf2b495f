import type { Logger } from 'pino'
import type { DailyBackups } from '../../embedded/index.ts'
import { builtGuideFolder, findGuideFiles, type GuideFiles } from '../api-docs/guide-files.ts'
import { type Billing, openBilling } from '../billing/billing.ts'
import type { Config } from '../config.ts'
import { builtConsoleFolder, type ConsoleFiles, readConsoleFiles } from '../console/page-routes.ts'
import { type ConsoleIssuer, consoleIssuers } from '../console/sign-in-options.ts'
import { createAuthenticate } from '../identity/authenticate.ts'
import type { ErasureSettings } from '../identity/erase-account.ts'
import type { Access } from '../identity/gate.ts'
import { type Issuers, openIssuers } from '../identity/issuers/open-issuers.ts'
import type { Issuer } from '../identity/issuers/verify-token.ts'
import type { KeyCheckParts } from '../key-checks/route.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { readSharedKey } from '../platform/database/keyring.ts'
import { watchUntrustedProxies } from '../platform/http/client-address.ts'
import { createCursors } from '../platform/http/cursors.ts'
import type { ServerSettings } from '../platform/http/new-server.ts'
import type { LimitLog } from '../platform/limit-log.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { packageVersion } from '../platform/package-root.ts'
import { createNodeLimit, type NodeLimits } from '../platform/rate-limits.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import type { HashingLimits } from '../sign-in/passwords/hashing-queue.ts'
import { acceptedIssuersOf, issuerNamesOf } from '../sign-in/settings.ts'
import { createMetricsTokenCheck } from '../status/metrics-token.ts'
import type { ListSettings } from '../users/list-route.ts'
import type { Endpoints } from '../webhooks/endpoints.ts'
import { openBackups, openBuiltInIssuer } from './encryption.ts'
import { openKeyChecks } from './key-checks.ts'
import { type Monitoring, openConnectionLimit, openMonitoring, openTracing } from './monitoring.ts'
import { openWebhooks } from './open-webhooks.ts'
import type { Opening } from './opening.ts'

/** The components of the service, one per folder. Whoever opens a resource closes it. */
export interface Parts {
  readonly log: Logger
  readonly database: Database
  readonly server: Server
  readonly monitoring: Monitoring
  readonly access: OpenAccess
  readonly users: UserAdministration
  readonly keyChecks: KeyCheckParts
  /** Absent without a payment processor. */
  readonly billing?: Billing | undefined
  readonly billingSettings: Config['billing']
  /** Absent if the built-in issuer is disabled. */
  readonly issuer?: BuiltInIssuer | undefined
  readonly webhooks?: Endpoints | undefined
  readonly console?: Console | undefined
  readonly guide: GuideFiles
  /** Absent without the embedded database, or if backups are disabled. */
  readonly backups?: DailyBackups | undefined
}

interface PartsOptions {
  readonly log: Logger
  readonly now?: Clock
  readonly isDraining: () => boolean
  /** Tests override this with a longer time. */
  readonly hashing?: HashingLimits
  /** The directory of the built console. Tests use a small one. */
  readonly consoleFolder?: string | undefined
  /** The directory of the built documentation. */
  readonly guideFolder?: string | undefined
}

/** Builds the components on an open, migrated database: for the service, and for tests with their own clock. */
export async function openParts(config: Config, opened: Database, options: PartsOptions): Promise<Parts> {
  const { log, now = Date.now, isDraining, hashing } = options
  const { tracing, database } = await openTracing(config, opened, log)
  const metrics = createMetrics(packageVersion(), { hasExemplars: tracing !== undefined })
  const opening: Opening = { config, database, log, now }
  const issuer = await openBuiltInIssuer(config, database, { now, hashing, log })
  const access = await openAccess(opening, issuer?.entry)
  const keyChecks = await openKeyChecks(opening, { metrics, tracing })
  const proxies = config.outgoingProxies
  const billing = await openBilling(database, { ...config.billing, proxies, registry: metrics.registry, log, now })
  const backups = openBackups(config, database, { log, now })
  const { issuers } = access
  const monitoring = await openMonitoring(opening, { issuer, issuers, metrics, tracing, billing, backups, isDraining })
  return {
    log,
    database,
    server: openServer(opening, { ...monitoring, isDraining }),
    monitoring,
    access,
    users: await openAdministration(opening, { outbox: issuer?.outbox, limitLog: monitoring.limitLog }),
    keyChecks,
    billing,
    billingSettings: config.billing,
    issuer,
    webhooks: openWebhooks(config, database),
    console: openConsole(config, options.consoleFolder),
    guide: findGuideFiles(options.guideFolder ?? builtGuideFolder()),
    backups,
  }
}

/** Stops background work. The caller closes the database afterwards. */
export async function closeParts({ monitoring, billing, access, keyChecks }: Parts): Promise<void> {
  await monitoring.tracing?.close()
  await billing?.manualSync.stop()
  monitoring.descriptors.stop()
  await access.issuers.close()
  await keyChecks.keyChecks.close()
}

/** The web console. Undefined if it is disabled. */
export interface Console {
  /** Absent if the console is not built. */
  readonly files?: ConsoleFiles | undefined
  /** Other issuers that it offers for sign-in. */
  readonly issuers: readonly ConsoleIssuer[]
}

function openConsole(config: Config, folder = builtConsoleFolder()): Console | undefined {
  if (!config.servesConsole) return undefined
  return { files: readConsoleFiles(folder), issuers: consoleIssuers(config.issuers) }
}

interface Server extends ServerSettings {
  readonly allowedOrigins: readonly string[]
}

/** Where the server listens, and its accepted host names. */
function openServer(
  { config, database, log }: Opening,
  {
    metrics,
    tracing,
    limitLog,
    isDraining,
  }: Pick<Monitoring, 'metrics' | 'tracing' | 'limitLog'> & { isDraining: () => boolean },
): Server {
  const { trustedProxies, hostNames, allowedOrigins } = config
  return {
    trustedProxies,
    untrustedProxies: watchUntrustedProxies({ log, count: metrics.countUntrustedForward }),
    hostNames,
    allowedOrigins,
    connectionLimit: openConnectionLimit(database, limitLog),
    isDraining,
    tracing,
  }
}

interface OpenAccess extends Access {
  readonly issuers: Issuers
}

/** Which tokens are accepted, and the limits of callers. */
async function openAccess({ config, database, log, now }: Opening, builtIn: Issuer | undefined): Promise<OpenAccess> {
  const nodeLimits = openNodeLimits(config, now)
  const newAccounts = nodeLimits['new-accounts']
  const issuers = await openIssuers(config.issuers, {
    builtIn,
    newAccounts,
    database,
    proxies: config.outgoingProxies,
    now,
    log,
  })
  return {
    database,
    issuers,
    authenticate: createAuthenticate(issuers.byName, now),
    checkMetricsToken: createMetricsTokenCheck(config.metricsToken),
    nodeLimits,
  }
}

function openNodeLimits({ limits }: Config, now: Clock): NodeLimits {
  const limit = (name: keyof NodeLimits, quota: number) => createNodeLimit(name, { quota, windowSeconds: 60 }, now)
  return {
    reads: limit('reads', limits.readsPerMinute),
    writes: limit('writes', limits.writesPerMinute),
    'new-accounts': limit('new-accounts', limits.newAccountsPerMinute),
  }
}

/** Shared options of the administrative operations. */
export interface UserAdministration {
  readonly listSettings: ListSettings
  readonly erasure: ErasureSettings & { readonly acceptedIssuers: readonly string[] }
  /** Days that audit events are kept; 0: forever. */
  readonly auditDays: number
}

async function openAdministration(
  { config, database, log, now }: Opening,
  { outbox, limitLog }: Pick<ErasureSettings, 'outbox'> & { readonly limitLog: LimitLog },
): Promise<UserAdministration> {
  const { limits, retention, dataDir } = config
  return {
    listSettings: {
      issuers: issuerNamesOf(config),
      cursors: createCursors(await readSharedKey(database, 'cursor')),
      exportsMax: limits.exportsMax,
      stallMs: limits.exportStallSeconds * 1_000,
      wholeMs: limits.exportSeconds * 1_000,
      limitLog,
      now,
    },
    erasure: {
      afterDays: retention.eraseAfterDays,
      dataDir,
      outbox,
      log,
      acceptedIssuers: acceptedIssuersOf(config),
    },
    auditDays: retention.auditDays,
  }
}
