import { collectDefaultMetrics, type Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import { lastDailyBackup } from '../../embedded/index.ts'
import { connectionsMax as connectionsOfProvider } from '../../key-check/index.ts'
import type { Config } from '../config.ts'
import type { Issuers } from '../identity/issuers/open-issuers.ts'
import type { Clock } from '../platform/clock.ts'
import { connectionsApart } from '../platform/database/budget.ts'
import { measureClockOffset } from '../platform/database/clock-offset.ts'
import type { Database } from '../platform/database/database.ts'
import { migrationNames, migrationsFolder } from '../platform/database/schema.ts'
import { watchSchema } from '../platform/database/schema-watch.ts'
import { descriptorsLimit, descriptorsMax, watchDescriptors } from '../platform/descriptors.ts'
import { type ConnectionLimit, connectionsLimit, connectionsMax } from '../platform/http/connection-limit.ts'
import { createLimitLog, type LimitLog } from '../platform/limit-log.ts'
import { registerMail } from '../platform/mail/mail-status.ts'
import { registerBackup } from '../platform/metrics/backup-gauge.ts'
import { registerGauges } from '../platform/metrics/gauges.ts'
import { registerLimits } from '../platform/metrics/limit-counter.ts'
import { registerServiceKeys } from '../service-keys/expiry.ts'
import type { BuiltInIssuer } from '../sign-in/issuer.ts'
import { registerBreachedPasswords, registerSignInWaits } from '../sign-in/metrics.ts'
import { exportsLimit } from '../users/list-route.ts'
import { registerWebhooks } from '../webhooks/metrics.ts'
import { makesBackups } from './encryption.ts'
import { registerUpkeep } from './upkeep.ts'

/** The database and one provider that is slow may have all of their connections open at once. */
export function openConnectionLimit(database: Database, limitLog: LimitLog): ConnectionLimit {
  const pools = Object.values(database.health().pools)
  const ofDatabase = pools.reduce((sum, { max }) => sum + max, connectionsApart)
  const max = connectionsMax(descriptorsMax(), ofDatabase + connectionsOfProvider)
  return { max, onReached: () => limitLog.reached(connectionsLimit, max) }
}

/** From zero on, so that the first time they are reached is seen. */
export const countedLimits = [exportsLimit, connectionsLimit, descriptorsLimit]

interface Watched {
  readonly issuer: BuiltInIssuer | undefined
  readonly issuers: Issuers
  readonly registry: Registry
}

/** What the node knows about itself: for `/readyz`, the metrics and the log. */
export async function openMonitoring(
  config: Config,
  database: Database,
  { issuer, issuers, registry }: Watched,
  { log, now }: { readonly log: Logger; readonly now: Clock },
) {
  const clockOffset = await measureClockOffset(database, { now, log })
  const schema = await watchSchema(database, { release: await migrationNames(migrationsFolder()), log })
  registerGauges(registry, {
    clockOffsetSeconds: clockOffset.seconds,
    keyStates: () => issuers.keyStates(),
    database: () => database.health(),
    schema: schema.current,
  })
  const limitLog = createLimitLog(log)
  registerLimits(registry, limitLog, countedLimits)
  if (config.metricsToken !== undefined) collectDefaultMetrics({ register: registry })
  if (issuer) registerSignInWaits(registry, database)
  if (issuer && config.issuer.pwnedPasswordsUrl) registerBreachedPasswords(registry, issuer.breached)
  if (config.mail) registerMail(registry, database)
  registerServiceKeys(registry, database)
  registerWebhooks(registry, database)
  registerUpkeep(registry, database)
  if (makesBackups(config)) registerBackup(registry, () => lastDailyBackup(config.dataDir))
  return { clockOffset, schema, limitLog, descriptors: watchDescriptors(limitLog) }
}
