import type { Logger } from 'pino'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import { builtGuideFolder, findGuideFiles } from './api-docs/guide-files.ts'
import type { Parts } from './app.ts'
import { openBilling } from './billing/billing.ts'
import type { Config } from './config.ts'
import { builtConsoleFolder, readConsoleFiles } from './console/files.ts'
import { consoleIssuers } from './console/sign-in-options.ts'
import { createAuthenticate } from './identity/authenticate.ts'
import { openIssuers } from './identity/issuers/open-issuers.ts'
import { listReads } from './identity/list-reads.ts'
import { createValidation, type Validation, validationOptions } from './key-checks/engine/check.ts'
import { defaultLimits } from './key-checks/engine/limits.ts'
import { sharedFailureCounts } from './key-checks/shared-failures.ts'
import { openLimits, openNodeLimits } from './limit-parts.ts'
import { createAuditRecorder } from './platform/audit/audit.ts'
import type { Clock } from './platform/clock.ts'
import { aggregateMetrics } from './platform/cluster/aggregate-metrics.ts'
import type { Peers } from './platform/cluster/peers.ts'
import { connectionsApart } from './platform/database/budget.ts'
import { measureClockOffset } from './platform/database/clock-offset.ts'
import type { Database, Rows } from './platform/database/database.ts'
import { createFreshness, type Freshness, type MonotonicClock } from './platform/database/freshness.ts'
import { lastBackupSeconds } from './platform/database/last-backup.ts'
import type { Replicas } from './platform/database/replica/open-replicas.ts'
import { migrationNames, migrationsFolder } from './platform/database/schema.ts'
import { watchSchema } from './platform/database/schema-watch.ts'
import { descriptorsLimit, descriptorsMax, watchDescriptors } from './platform/descriptors.ts'
import { type ConnectionLimit, connectionsLimit, connectionsMax } from './platform/http/connection-limit.ts'
import { createCursors } from './platform/http/cursors.ts'
import { watchUntrustedProxies } from './platform/http/untrusted-proxies.ts'
import { createLimitLog, type LimitLog } from './platform/limit-log.ts'
import { registerMail } from './platform/mail/mail-status.ts'
import { registerBackup } from './platform/metrics/backup-gauge.ts'
import { registerGauges } from './platform/metrics/gauges.ts'
import { registerLimits } from './platform/metrics/limit-counter.ts'
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts'
import { registerReplicas } from './platform/metrics/replica-gauges.ts'
import { packageVersion } from './platform/package-root.ts'
import { tracedDatabase } from './platform/tracing/traced-database.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { openConfiguredReplicas } from './replica-parts.ts'
import { registerServiceKeys } from './service-keys/expiry.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { type EncryptionKeys, openEncryption } from './sign-in/keys/encryption-key.ts'
import { registerBreachedPasswords, registerSignInWaits } from './sign-in/metrics.ts'
import { openIssuer } from './sign-in/open-issuer.ts'
import { type HashingLimits, hashingLimits } from './sign-in/passwords/hashing-queue.ts'
import { createMetricsTokenCheck } from './status/metrics-token.ts'
import { createSystemStatus } from './system-status.ts'
import { registerUpkeep } from './upkeep.ts'
import { createResponseCache } from './user-data/cache.ts'
import { startInvalidation } from './user-data/invalidation.ts'
import { exportsLimit } from './users/list-route.ts'
import type { Endpoints } from './webhooks/endpoints.ts'
import { registerWebhooks } from './webhooks/metrics.ts'
import { openWorkerTopics } from './worker-topics.ts'

export interface PartsSurroundings {
  readonly log: Logger
  readonly now?: Clock | undefined
  readonly monotonic?: MonotonicClock | undefined
  readonly isDraining: () => boolean
  /** The other workers of this node, where there are any. */
  readonly peers?: Peers | undefined
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
  { log, now, monotonic, isDraining, peers, hashing, ...folders }: PartsSurroundings,
): Promise<Parts> {
  const version = packageVersion()
  const tracing = await openTracing(config, { version, log })
  const database = tracing ? tracedDatabase(opened, tracing) : opened
  const hashingOf = hashing ?? hashingLimits(peers?.count ?? 1)
  const issuer = await openBuiltInIssuer(config, database, { now: now ?? Date.now, hashing: hashingOf, log })
  const topics = peers && openWorkerTopics(peers)
  const nodeLimits = openNodeLimits(config, now ?? Date.now, topics?.sharedCounts)
  const known = { builtIn: issuer?.entry, newAccounts: nodeLimits['new-accounts'] }
  const issuers = await openIssuers(config.issuers, { ...known, database, now: now ?? Date.now, log })
  const { cache, freshness, invalidation } = openResponseCache(config, database, { log, now, monotonic })
  // Workers add up their metrics, which have no exemplars then.
  const metrics = createMetrics(version, { hasExemplars: tracing !== undefined && peers === undefined })
  const { registry } = metrics
  const watched = { issuer, issuers, cache, freshness, registry }
  const { limitLog, ...watches } = await openMonitoring(config, database, watched, { log, now: now ?? Date.now })
  const validation = await openValidation(config, database, { log, now, peers, topics, metrics, tracing })
  tracing?.sendMetrics(registry)
  topics?.deliverTo({ nodeLimits, validation, invalidation })
  const replicas = openConfiguredReplicas(config, database, { log, monotonic, tracing, processes: peers?.count ?? 1 })
  const billing = await openBilling(database, { ...config.billing, registry, log, now: now ?? Date.now })
  const seen = { database, issuers, cache, freshness, limitLog, billing, version, isDraining, ...watches }
  return {
    ...configuredParts(config, folders),
    database,
    reads: listReads(database, replicas, registerReplicas(registry, replicas)),
    replicas,
    readSystem: createSystemStatus(config, { ...seen, limits: countedLimits, workers: peers?.count ?? 1 }),
    cache,
    invalidation,
    onDatabaseUnreachable() {
      invalidation.doubt()
      topics?.sendDatabaseUnreachable()
    },
    issuers,
    authenticate: createAuthenticate(issuers.byName, now ?? Date.now),
    listSettings: await openListSettings(config, database, limitLog),
    validation,
    billing,
    issuer,
    webhooks: openWebhooks(config, database),
    erasure: { afterDays: config.retention.eraseAfterDays, dataDir: config.dataDir, outbox: issuer?.outbox, log },
    recordAudit: createAuditRecorder(database),
    limits: openLimits(config, database, now ?? Date.now),
    nodeLimits,
    fingerprintKey: await readSharedKey(database, 'fingerprint'),
    log,
    metrics: peers ? { ...metrics, text: aggregateMetrics(peers, registry) } : metrics,
    version,
    tracing,
    untrustedProxies: watchUntrustedProxies({ log, count: metrics.countUntrustedForward }),
    isDraining,
    connectionLimit: openConnectionLimit(database, replicas, { limitLog, peers }),
    ...watches,
  }
}

/** What follows from the settings and the built files alone. */
function configuredParts(config: Config, folders: Pick<PartsSurroundings, 'consoleFolder' | 'guideFolder'>) {
  const { trustedProxies, hostNames, allowedOrigins } = config
  return {
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
export async function openTracing({ tracing }: Config, options: { version: string; log: Logger }) {
  if (tracing === undefined) return undefined
  const otlp = await import('./platform/tracing/otlp.ts')
  return otlp.openTracing(tracing, options)
}

type ValidationSurroundings = Pick<PartsSurroundings, 'log' | 'now' | 'peers'> & {
  readonly topics: ReturnType<typeof openWorkerTopics> | undefined
  readonly metrics: Pick<Metrics, 'countProviderCall'>
  readonly tracing: Tracing | undefined
}

function openValidation(
  { providers }: Config,
  database: Database,
  { log, now, peers, topics, metrics, tracing }: ValidationSurroundings,
): Promise<Validation> {
  const settings = validationOptions(providers)
  const windowMs = providers.failureWindowSeconds * 1_000
  return createValidation({
    ...settings,
    log,
    onCall({ provider, outcome, durationMs }) {
      metrics.countProviderCall({ provider, outcome, seconds: durationMs / 1_000 })
      tracing?.add(`call ${provider}`, { 'muster.provider': provider, 'muster.outcome': outcome }, durationMs)
    },
    failureCounts: sharedFailureCounts(database, { windowMs, now: now ?? Date.now }),
    ...(peers && { limits: { ...settings.limits, workers: peers.count } }),
    ...(topics && { onCoolDown: topics.sendCoolDown }),
    ...(now && { now }),
  })
}

/** The database and one provider that is slow may have all of their connections open at once. */
function openConnectionLimit(
  database: Database,
  replicas: Replicas | undefined,
  { limitLog, peers }: { readonly limitLog: LimitLog; readonly peers: Peers | undefined },
): ConnectionLimit {
  const servers = [database.health(), ...(replicas?.health() ?? [])]
  const pools = servers.flatMap((server) => Object.values(server.pools))
  const ofDatabase = pools.reduce((sum, { max }) => sum + max, servers.length * connectionsApart)
  const ofProvider = Math.ceil(defaultLimits.connectionsMax / (peers?.count ?? 1))
  const max = connectionsMax(descriptorsMax(), ofDatabase + ofProvider)
  return { max, onReached: () => limitLog.reached(connectionsLimit, max) }
}

/** From zero on, so that the first time they are reached is seen. */
const countedLimits = [exportsLimit, connectionsLimit, descriptorsLimit]

interface Watched extends Pick<Parts, 'issuer' | 'issuers' | 'cache'> {
  readonly freshness: Freshness
  readonly registry: Registry
}

/** What the node knows about itself: for `/readyz`, the metrics and the log. */
async function openMonitoring(
  config: Config,
  database: Database,
  { issuer, issuers, cache, freshness, registry }: Watched,
  { log, now }: { readonly log: Logger; readonly now: Clock },
) {
  const clockOffset = await measureClockOffset(database, { now, log })
  const schema = await watchSchema(database, { release: await migrationNames(migrationsFolder()), log })
  registerGauges(registry, {
    clockOffsetSeconds: clockOffset.seconds,
    responseCache: () => ({ ...cache.stats(), proofAgeSeconds: freshness.ageSeconds() }),
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
  if (!config.database.url) registerBackup(registry, () => lastBackupSeconds(config.dataDir))
  return { clockOffset, schema, limitLog, descriptors: watchDescriptors(limitLog) }
}

function openResponseCache(
  { cacheMib, freshnessSeconds, changePollMs: pollMs }: Config,
  database: Database,
  { log, now = Date.now, monotonic }: Pick<PartsSurroundings, 'log' | 'now' | 'monotonic'>,
) {
  const freshness = createFreshness(freshnessSeconds, monotonic)
  const cache = createResponseCache({ bytesMax: cacheMib * 2 ** 20, now, isProven: freshness.isProven })
  const invalidation = startInvalidation(database, cache, { freshness, freshnessSeconds, pollMs, log })
  return { cache, freshness, invalidation }
}

/** Stops what the parts run in the background. Its caller closes the database afterwards. */
export async function closeParts(parts: Parts): Promise<void> {
  const { invalidation, issuers, validation, descriptors, tracing, replicas, billing } = parts
  await tracing?.close()
  await replicas?.close()
  await billing?.manualSync.stop()
  await descriptors.stop()
  invalidation.stop()
  await issuers.close()
  await validation.close()
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

/** The built-in issuer, unless it is switched off. */
export async function openBuiltInIssuer(
  config: Config,
  database: Database,
  { now, hashing = hashingLimits(1), log }: { now: Clock; hashing?: HashingLimits; log: Logger },
): Promise<BuiltInIssuer | undefined> {
  if (!config.issuer.isEnabled) return undefined
  const { accessTokenSeconds, sessionSeconds, sessionIdleSeconds, refreshGraceSeconds, signUp } = config.issuer
  const { passwordLengthMin, passwordWords, breachedPasswords, pwnedPasswordsUrl, linkUrl, passkeys } = config.issuer
  const lifetimes = { accessTokenSeconds, sessionSeconds, sessionIdleSeconds, refreshGraceSeconds }
  const rules = { signUp, passwordLengthMin, passwordWords, breachedPasswords, pwnedPasswordsUrl }
  const settings = { issuer: config.publicUrl, ...lifetimes, ...rules, linkUrl, passkeys }
  const encryptionKeys = encryptionKeysOf(config)
  return openIssuer(database, { settings, encryptionKeys, now, hashing, log, sendsMail: config.mail !== undefined })
}

/** Without a key that encrypts their signing secrets there are no webhooks. */
export function openWebhooks(config: Config, database: Database): Endpoints | undefined {
  if (!config.issuer.isEnabled && !config.issuer.encryptionKey) return undefined
  return { database, sealing: openEncryption(encryptionKeysOf(config)), settings: config.webhooks }
}

export function encryptionKeysOf({ issuer, dataDir }: Config): EncryptionKeys {
  const { encryptionKey, previousEncryptionKey } = issuer
  return { encryptionKey, previousEncryptionKey, dataDir }
}

/** A key of the table `keyring`, which all nodes share. */
async function readSharedKey(rows: Rows, name: 'cursor' | 'fingerprint'): Promise<Buffer> {
  const [row] = await rows.query<{ key: Buffer }>(
    { name: 'shared_key', text: 'select key from keyring where name = $1' },
    [name],
  )
  if (!row) throw new Error(`The table keyring has no key ${name}.`)
  return row.key
}
