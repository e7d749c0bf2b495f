import type { Logger } from 'pino'
import type { DailyBackups } from '../../embedded/index.ts'
import { builtGuideFolder, findGuideFiles, type GuideFiles } from '../api-docs/guide-files.ts'
import { type Billing, openBilling } from '../billing/billing.ts'
import type { Config } from '../config.ts'
import type { KeyCheckParts } from '../key-checks/route.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { packageVersion } from '../platform/package-root.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import type { HashingLimits } from '../sign-in/passwords/hashing-queue.ts'
import type { Endpoints } from '../webhooks/endpoints.ts'
import { type OpenAccess, openAccess } from './access.ts'
import { openBackups, openBuiltInIssuer, openWebhooks } from './encryption.ts'
import { openKeyChecks } from './key-checks.ts'
import { type Monitoring, openMonitoring, openTracing } from './monitoring.ts'
import type { Opening } from './opening.ts'
import { type Console, openConsole, openServer, type Server } from './server.ts'
import { type Administration, openAdministration } from './users.ts'

/** The components of the service, one per folder. Whoever opens a resource closes it. */
export interface Parts {
  readonly log: Logger
  readonly database: Database
  readonly server: Server
  readonly monitoring: Monitoring
  readonly access: OpenAccess
  readonly users: Administration
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
  await monitoring.descriptors.stop()
  await access.issuers.close()
  await keyChecks.keyChecks.close()
}
