import { Gauge, type Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import { completeErasuresFile, type ErasureSettings, eraseDue } from '../identity/erase-account.ts'
import { deleteOldFailures } from '../key-checks/shared-failures.ts'
import { deleteExpiredInvitations } from '../organizations/invitations.ts'
import type { Database, Rows, Statement } from '../platform/database/database.ts'
import { runOnOneNode } from '../platform/database/named-locks.ts'
import { deleteOldCounts } from '../platform/rate-limits.ts'
import { type TraceJob, untracedJob } from '../platform/tracing/tracing.ts'
import { deleteExpired } from '../sign-in/sessions/delete-expired.ts'

/** How often each node checks whether maintenance is due, and how often it runs in the cluster. */
const checkEveryMs = 60_000
export const upkeepEverySeconds = 600

export interface UpkeepOptions {
  readonly erasure: ErasureSettings
  readonly retention: RetentionSettings
  readonly log: Pick<Logger, 'warn'>
  readonly signal?: AbortSignal
  readonly traceJob?: TraceJob | undefined
}

/** Deletes old rows and the accounts that are due, in the background. `stop` waits for a running batch. */
export function scheduleUpkeep(database: Database, options: Omit<UpkeepOptions, 'signal'>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()
  const check = () =>
    upkeepIfDue(database, { ...options, signal }).catch((error: unknown) => {
      if (!signal.aborted) options.log.warn({ err: error }, 'database maintenance failed')
    })
  const timer = setInterval(() => {
    running = running.then(check)
  }, checkEveryMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** Runs the shared maintenance if it is due and no other node is running it, then the tasks of each node. */
export async function upkeepIfDue(database: Database, options: UpkeepOptions): Promise<void> {
  const isDue = async () => (await database.query(dueStatement, [upkeepEverySeconds])).length > 0
  const { traceJob = untracedJob } = options
  if (await isDue())
    await runOnOneNode(database, 'upkeep', async () => {
      // Checked again: another node may have finished just before it released the lock.
      if (await isDue()) await traceJob('job upkeep', {}, () => runUpkeep(database, options))
    })
  await completeErasuresFile(database, options.erasure)
}

async function runUpkeep(database: Database, { erasure, retention, signal }: UpkeepOptions): Promise<void> {
  await eraseDue(database, erasure, { signal })
  await deleteOldRows(database, retention, signal)
  if (!signal?.aborted) await deleteExpired({ database })
  if (!signal?.aborted) await deleteExpiredInvitations(database)
  if (!signal?.aborted) await deleteOldCounts(database)
  if (!signal?.aborted) await deleteOldFailures(database)
  if (!signal?.aborted) await database.query(finishedStatement, [])
}

/** Each scrape reads the gauges from the database. */
export function registerUpkeep(registry: Registry, rows: Rows): void {
  const read = () => rows.query<{ task: string; finished: number; deleted: number }>(doneStatement, [])
  new Gauge({
    name: 'muster_upkeep_timestamp_seconds',
    help: 'When a node last completed the maintenance of the database, in seconds since 1970; 0 if none has.',
    registers: [registry],
    async collect() {
      // Reports NaN while the database is down, so that the rest of the scrape succeeds.
      const done = await read().catch(() => undefined)
      this.set(done ? (done.find(({ task }) => task === 'all')?.finished ?? 0) : Number.NaN)
    },
  })
  new Gauge({
    name: 'muster_upkeep_deleted_rows',
    help: 'Number of old rows deleted by maintenance, over all nodes.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const done = await read().catch(() => [])
      for (const { task, deleted } of done) if (task !== 'all') this.set({ kind: task }, deleted)
    },
  })
}

/** When any node last completed maintenance. */
export async function lastUpkeep(rows: Rows): Promise<Date | undefined> {
  return (await rows.query<{ finished_at: Date }>(lastStatement, []))[0]?.finished_at
}

const lastStatement = { name: 'upkeep_last', text: `select finished_at from upkeep where task = 'all'` }

const doneStatement = {
  name: 'upkeep_done',
  text: `
select task, extract(epoch from finished_at)::float8 as finished, deleted::float8 as deleted from upkeep order by task limit 100`,
}

const dueStatement = {
  name: 'upkeep_due',
  text: `
select 1
where not exists (select from upkeep where task = 'all' and finished_at > now() - make_interval(secs => $1::int))`,
}

const finishedStatement = {
  name: 'upkeep_finished',
  text: `
insert into upkeep (task, finished_at) values ('all', now())
on conflict (task) do update set finished_at = excluded.finished_at`,
}

/** Days that rows are kept; 0: forever. */
interface RetentionSettings {
  readonly auditDays: number
  readonly refusalDays: number
  readonly billingEventDays: number
  readonly webhookDays: number
}

/** Few enough rows that other statements do not wait and that a killed process loses little work. */
const batchRows = 1_000
const batchesMax = 50

/**
 * Deletes old rows in batches, oldest first, each in its own transaction: at most 50,000 rows of each kind per run.
 * Uses the clock of the database, so that a node with a wrong clock cannot delete rows too early.
 */
export async function deleteOldRows(
  database: Database,
  { auditDays, refusalDays, billingEventDays, webhookDays }: RetentionSettings,
  signal?: AbortSignal,
): Promise<void> {
  const kinds = [
    { statement: auditStatement, days: auditDays },
    { statement: refusalsStatement, days: refusalDays },
    { statement: billingEventsStatement, days: billingEventDays },
    { statement: webhookEventsStatement, days: webhookDays },
    // No token is valid for more than 30 days.
    { statement: removedIdentitiesStatement, days: 31 },
  ]
  for (const { statement, days } of kinds) if (days > 0) await deleteBatches(database, statement, days, signal)
}

async function deleteBatches(rows: Rows, statement: Statement, days: number, signal?: AbortSignal): Promise<void> {
  for (let batch = 0; batch < batchesMax && !signal?.aborted; batch += 1) {
    const [found] = await rows.query<{ deleted: number }>(statement, [days, batchRows])
    if (!found || found.deleted < batchRows) return
  }
}

/**
 * $1 days, $2 rows. Skips rows that another transaction has locked. Selects by `ctid`, which the row lock keeps valid:
 * by key, the planner reads the whole table if its keys are unordered. The counter changes in the same transaction.
 */
const batchOf = (task: string, { table, time, where }: Readonly<Record<'table' | 'time' | 'where', string>>) => `
with gone as (
  delete from ${table} where ctid = any (array(
    select ctid from ${table}
    where ${where} and ${time} < now() - make_interval(days => $1::int)
    order by ${time} limit $2::int
    for update skip locked))
  returning 1
), counted as (
  insert into upkeep (task, finished_at, deleted) select '${task}', now(), count(*) from gone
  on conflict (task) do update set finished_at = excluded.finished_at, deleted = upkeep.deleted + excluded.deleted
)
select count(*)::int as deleted from gone`

const events = { table: 'audit_event', time: 'at' } as const

const auditStatement = {
  name: 'retention_audit',
  text: batchOf('audit_events', { ...events, where: `action <> 'session.refused'` }),
}

const refusalsStatement = {
  name: 'retention_refusals',
  text: batchOf('refusals', { ...events, where: `action = 'session.refused'` }),
}

const billingEventsStatement = {
  name: 'retention_billing_events',
  text: batchOf('billing_events', { table: 'billing_event', time: 'received_at', where: 'true' }),
}

/** With the deliveries of each event. */
const webhookEventsStatement = {
  name: 'retention_webhook_events',
  text: batchOf('webhook_events', { table: 'webhook_event', time: 'at', where: 'true' }),
}

const removedIdentitiesStatement = {
  name: 'retention_removed_identities',
  text: batchOf('removed_identities', { table: 'removed_identity', time: 'removed_at', where: 'true' }),
}
