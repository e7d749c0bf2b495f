import type { Logger } from 'pino'
import type { Database, Rows } from '../platform/database/database.ts'
import { Problem } from '../platform/problems.ts'
import type { KeptSyncReport } from './status-contract.ts'
import { type SubscriptionSource, type SyncOptions, type SyncReport, syncSubscriptions } from './sync.ts'

/** Maximum entries of each kind in a report. */
const keptMax = 100

/** The last finished run and the last failed run, if known. */
export interface LastRuns {
  readonly processor: string
  readonly finished_at: Date | null
  /** Missing for runs of older versions. */
  readonly report: KeptSyncReport | null
  readonly failed_at: Date | null
  /** The code of the problem, or `interrupted`. */
  readonly failure: string | null
}

/**
 * Reconciles all subscriptions of one processor and records the result, or why the run failed. Used by the service, administrators and the
 * command line. Throws the problems of `syncSubscriptions`.
 */
export async function reconcile(
  database: Database,
  source: SubscriptionSource,
  { log, ...options }: SyncOptions & { readonly log?: Logger },
): Promise<SyncReport> {
  try {
    const report = await syncSubscriptions(database, source, options)
    await database.query(finishedStatement, [source.processor, JSON.stringify(keptOf(report))])
    if (log) logReport(report, source, log)
    return report
  } catch (error) {
    const failure = options.signal?.aborted ? 'interrupted' : error instanceof Problem ? error.code : 'internal_error'
    // Rethrow the original error, even if recording it fails: the database may be the cause.
    await database.query(failedStatement, [source.processor, failure]).catch(() => undefined)
    throw error
  }
}

export function readLastRuns(rows: Rows): Promise<LastRuns[]> {
  return rows.query(lastRunsStatement, [])
}

function keptOf({ checked, repaired, linked, unknown }: SyncReport): KeptSyncReport {
  const kept = <Item>(all: readonly Item[]) => ({ count: all.length, first: all.slice(0, keptMax) })
  return { checked, repaired: kept(repaired), linked: kept(linked), unknown: kept(unknown) }
}

/** One line per repair, because each is a lost event. */
function logReport(
  { checked, repaired, linked, unknown }: SyncReport,
  { processor }: SubscriptionSource,
  log: Logger,
): void {
  for (const { id, changes } of repaired) log.warn({ subscription: id, changes }, 'subscription repaired')
  const counts = { checked, repaired: repaired.length, linked: linked.length, unknown: unknown.length }
  log.info({ processor, ...counts }, 'subscriptions reconciled with the payment processor')
}

const finishedStatement = {
  name: 'billing_sync_finished',
  text: `
insert into billing_sync (processor, finished_at, report) values ($1, now(), $2)
on conflict (processor) do update set finished_at = excluded.finished_at, report = excluded.report`,
}

const failedStatement = {
  name: 'billing_sync_failed',
  text: `
insert into billing_sync (processor, failed_at, failure) values ($1, now(), $2)
on conflict (processor) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
}

const lastRunsStatement = {
  name: 'billing_sync_runs',
  text: 'select processor, finished_at, report, failed_at, failure from billing_sync order by processor',
}
