import { hostname } from 'node:os'
import type { DailyBackupState, DailyBackups } from '../../embedded/index.ts'
import type { Billing } from '../billing/billing.ts'
import { readLastRuns } from '../billing/reconcile.ts'
import { type BillingSettings, readBillingStatus } from '../billing/status.ts'
import type { Config } from '../config.ts'
import { countWeakAdministrators, hasAdministrator } from '../identity/administrators.ts'
import type { Issuers } from '../identity/issuers/open-issuers.ts'
import { countTakenEmails } from '../identity/provisioning.ts'
import type { ClockOffset } from '../platform/database/clock-offset.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { causeCode } from '../platform/database/faults.ts'
import type { SchemaWatch } from '../platform/database/schema.ts'
import type { LimitLog } from '../platform/limit-log.ts'
import { readMailStatus } from '../platform/mail/mail-status.ts'
import { packageCommit, packageVersion } from '../platform/package-root.ts'
import { Problem } from '../platform/problems.ts'
import { readExpiringKeys } from '../service-keys/expiry.ts'
import { acceptedIssuersOf } from '../sign-in/settings.ts'
import type { SystemStatus } from '../status/system-contract.ts'
import { adviceOf } from './system-advice.ts'
import { lastUpkeep, upkeepEverySeconds } from './upkeep.ts'

/** Sources of the state: the components of the node, and values that only their creator knows. */
export interface SystemSources {
  readonly issuers: Issuers
  readonly backups?: DailyBackups | undefined
  readonly billing?: Billing | undefined
  readonly isDraining: () => boolean
  readonly database: Database
  readonly clockOffset: ClockOffset
  readonly schema: SchemaWatch
  readonly limitLog: LimitLog
  readonly limits: readonly string[]
}

/** The state of this node for administrators. Calls only the database. Problem: `database_unavailable`. */
export function createSystemStatus(config: Config, sources: SystemSources): () => Promise<SystemStatus> {
  const { database, clockOffset, schema } = sources
  return async () => {
    await clockOffset.measure()
    await schema.check().catch((error: unknown) => {
      // A remedy shown with the finding.
      if (!(error instanceof Problem) || error.code !== 'schema_unsupported') throw error
    })
    const read = { ...nodeStatus(sources), ...(await storedStatus(config, sources)) }
    const facts = {
      schemaFault: schema.current().fault,
      administrators: await hasAdministrator(database, acceptedIssuersOf(config)),
      weakAdministrators: config.issuer.isEnabled ? await countWeakAdministrators(database) : 0,
      takenEmails: await countTakenEmails(database),
      expiringKeys: (await readExpiringKeys(database)).length,
      billing: await readBillingStatus(database, config.billing satisfies BillingSettings, sources.billing),
    }
    return { ...read, advice: adviceOf(config, read, facts), settings: [...config.shown] }
  }
}

/** What the process knows without a query. */
function nodeStatus({ clockOffset, schema, issuers, limitLog, limits, ...node }: SystemSources) {
  const { version, releaseVersion, pending, ahead } = schema.current()
  const commit = packageCommit()
  const states = new Map(issuers.keyStates().map(({ issuer, keys }) => [issuer, keys]))
  const reached = limitLog.counts()
  return {
    at: new Date().toISOString(),
    node: {
      host: hostname(),
      version: packageVersion(),
      ...(commit !== undefined && { commit }),
      nodeVersion: process.version,
      startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
      isDraining: node.isDraining(),
    },
    clock: { offsetSeconds: clockOffset.seconds(), isFar: clockOffset.isTooLarge() },
    schema: { version, releaseVersion, pending: [...pending], ahead: [...ahead] },
    issuers: [...issuers.byName.values()].map(({ issuer, isBuiltIn }) =>
      issuerOf(issuer, isBuiltIn, states.get(issuer)),
    ),
    limits: [...new Set([...limits, ...reached.keys()])].map((name) => ({ name, reached: reached.get(name) ?? 0 })),
  }
}

function issuerOf(issuer: string, isBuiltIn: boolean, keys: 'fresh' | 'stale' | 'unavailable' | undefined) {
  if (isBuiltIn) return { issuer, kind: 'built_in' as const }
  return keys === undefined ? { issuer, kind: 'configured' as const } : { issuer, kind: 'remote' as const, keys }
}

/** What the database knows. */
async function storedStatus(config: Config, { database, backups, billing }: SystemSources) {
  const { waiting, oldestSeconds, sent, retried, givenUp } = await readMailStatus(database)
  return {
    database: await databaseStatus(config, database),
    jobs: [
      await upkeepJob(database),
      ...(await reconciliations(config, database, billing)),
      ...(backups ? [backupJob(await backups.state())] : []),
    ],
    mail: {
      isConfigured: config.mail !== undefined,
      waiting,
      oldestSeconds,
      sent,
      retried: [...retried],
      givenUp: [...givenUp],
    },
  }
}

async function databaseStatus(config: Config, database: Database) {
  const [row] = await database.query<{ version: string }>(versionStatement, [])
  const health = database.health()
  const cause = causeCode(health)
  return {
    place: config.database.url ? ('external' as const) : ('embedded' as const),
    version: row?.version ?? '',
    state: health.state,
    ...(cause !== undefined && { cause }),
    failures: [...health.failures].map(([code, count]) => ({ code, count })),
    pools: Object.entries(health.pools).map(([name, { max, open, idle, waiting, refused }]) => ({
      name,
      max,
      busy: open - idle,
      waiting,
      refused,
    })),
  }
}

const versionStatement = { name: 'system_version', text: `select current_setting('server_version') as version` }

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000).toISOString()

async function upkeepJob(rows: Rows) {
  const at = await lastUpkeep(rows)
  return {
    name: 'upkeep' as const,
    ...(at && { lastAt: at.toISOString(), nextAt: later(at, upkeepEverySeconds) }),
  }
}

async function reconciliations({ billing: { syncHours } }: Config, rows: Rows, billing: Billing | undefined) {
  const runs = new Map((await readLastRuns(rows)).map((run) => [run.processor, run]))
  return (billing?.sources ?? []).map(({ processor }) => {
    const { finished_at: lastAt = null, failed_at: failedAt = null, failure = null } = runs.get(processor) ?? {}
    return {
      name: 'reconciliation' as const,
      subject: processor,
      ...(lastAt && { lastAt: lastAt.toISOString() }),
      ...(lastAt && syncHours > 0 && { nextAt: later(lastAt, syncHours * 3_600) }),
      ...(failedAt &&
        failure !== null &&
        (!lastAt || failedAt > lastAt) && { lastFailureAt: failedAt.toISOString(), lastFailure: failure }),
    }
  })
}

function backupJob({ lastAt, nextAt, failure }: DailyBackupState) {
  return {
    name: 'backup' as const,
    ...(lastAt && { lastAt: lastAt.toISOString() }),
    nextAt: nextAt.toISOString(),
    ...(failure && { lastFailureAt: failure.at.toISOString(), lastFailure: failure.code }),
  }
}
