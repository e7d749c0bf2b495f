import type { Logger } from 'pino'
import type { Database, Rows } from '../platform/database/database.ts'
import { Problem } from '../platform/problems.ts'
import { type SubscriptionSource, type SyncOptions, type SyncReport, syncSubscriptions } from './sync.ts'

/** So many of each kind are kept of a report: enough to look into, and no second store of subscriptions. */
export const keptMax = 100

/** How many there were, and the first of them. */
interface Kept<Item> {
  readonly count: number
  readonly first: readonly Item[]
}

/** What the last run found. */
export interface KeptReport {
  readonly checked: number
  readonly repaired: Kept<SyncReport['repaired'][number]>
  readonly linked: Kept<string>
  readonly unknown: Kept<string>
}

/** The last run that was finished, and the last one that was not, where they are known. */
export interface LastRuns {
  readonly processor: string
  readonly finished_at: Date | null
  /** Of runs before this was kept there is none. */
  readonly report: KeptReport | null
  readonly failed_at: Date | null
  /** The code of the problem, or `interrupted`. */
  readonly failure: string | null
}

/**
 * Reconciles all subscriptions of one processor and records what was found, or why the run was not finished. The service, administrators and
 * the command line all do it by this. Problems: those of `syncSubscriptions`.
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
    // The failure itself is what matters: it may be that of the database.
    await database.query(failedStatement, [source.processor, failure]).catch(() => undefined)
    throw error
  }
}

export function readLastRuns(rows: Rows): Promise<LastRuns[]> {
  return rows.query(lastRunsStatement, [])
}

function keptOf({ checked, repaired, linked, unknown }: SyncReport): KeptReport {
  const kept = <Item>(all: readonly Item[]) => ({ count: all.length, first: all.slice(0, keptMax) })
  return { checked, repaired: kept(repaired), linked: kept(linked), unknown: kept(unknown) }
}

/** One line for each repair: each of them is an event that was lost. */
function logReport(
  { checked, repaired, linked, unknown }: SyncReport,
  { processor }: SubscriptionSource,
  log: Logger,
): void {
  for (const { id, changes } of repaired) log.warn({ subscription: id, changes }, 'a subscription was repaired')
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
