import { Gauge, type Registry } from '@prometheus-io/client'
import type { Logger } from 'pino'
import { completeErasuresFile, type ErasureSettings, eraseDue } from '../identity/erase-account.ts'
import { deleteOldFailures } from '../key-checks/shared-failures.ts'
import { deleteExpiredInvitations } from '../organizations/invitations.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { runOnOneNode } from '../platform/database/one-node.ts'
import { deleteOldCounts } from '../platform/rate-limit/rate-limits.ts'
import { type TraceJob, untracedJob } from '../platform/tracing/tracing.ts'
import { deleteExpired } from '../sign-in/sessions/delete-expired.ts'
import { deleteOldRows, type RetentionSettings } from './retention.ts'

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
