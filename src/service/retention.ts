import type { Database, Rows, Statement } from '../platform/database/database.ts'

/** Days that rows are kept; 0: forever. */
export interface RetentionSettings {
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
