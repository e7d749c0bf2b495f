import type { Logger } from 'pino'
import { actorOf, type ChangedBy } from '../identity/administrators.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { runOnOneNode } from '../platform/database/named-locks.ts'
import { Problem } from '../platform/problems.ts'
import { type TraceJob, untracedJob } from '../platform/tracing/tracing.ts'
import { reconcile } from './reconcile.ts'
import type { SubscriptionSource, SyncReport } from './sync.ts'

/** How often each node checks whether a reconciliation is due. */
const checkEveryMs = 300_000

interface SyncSchedule {
  readonly everyHours: number
  readonly log: Logger
  readonly traceJob?: TraceJob | undefined
}

/**
 * Reconciles all subscriptions with their payment processor every `everyHours` (0: never), on one node. `stop` waits for a running
 * reconciliation to end.
 */
export function scheduleSync(
  database: Database,
  sources: readonly SubscriptionSource[],
  { everyHours, log, traceJob }: SyncSchedule,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()
  const schedule = { everyHours, log, signal, traceJob }
  const check = () => forEachSource(sources, { log, signal }, (source) => syncIfDue(database, source, schedule))
  const onTimer = () => {
    running = running.then(check)
  }
  const timer = everyHours > 0 && sources.length > 0 ? setInterval(onTimer, checkEveryMs).unref() : undefined
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** One reconciliation, if the last one by any node is old enough and no other node is running one. */
export async function syncIfDue(
  database: Database,
  source: SubscriptionSource,
  { everyHours, log, signal, traceJob = untracedJob }: SyncSchedule & { readonly signal?: AbortSignal },
): Promise<SyncReport | undefined> {
  const isDue = async () => (await database.query(dueStatement, [source.processor, everyHours])).length > 0
  if (!(await isDue())) return undefined
  return runOnOneNode(database, 'billingSync', async () => {
    // Check again: the node that held the lock may have finished meanwhile.
    if (!(await isDue())) return undefined
    return traceJob(`job reconcile ${source.processor}`, {}, () => reconcile(database, source, { signal, log }))
  })
}

const dueStatement = {
  name: 'billing_sync_due',
  text: `
select 1
where not exists (select from billing_sync where processor = $1 and finished_at > now() - make_interval(hours => $2::int))`,
}

/** Reconciliations started by administrators. They run in the background, on the node that received the request. */
export interface ManualSync {
  /** Resolves when it has started, with the ids of the processors. Throws `sync_running` if a node is already reconciling. */
  start(by: ChangedBy): Promise<readonly string[]>
  /** Waits for a running reconciliation to end soon. */
  stop(): Promise<void>
}

export function createManualSync(database: Database, sources: readonly SubscriptionSource[], log: Logger): ManualSync {
  const stopping = new AbortController()
  const { signal } = stopping
  const processors = sources.map(({ processor }) => processor)
  let running: Promise<unknown> = Promise.resolve()
  return {
    start: (by) =>
      new Promise((resolve, reject) => {
        running = runOnOneNode(database, 'billingSync', async () => {
          await recordAudit(database, { action: 'billing.sync_started', ...actorOf(by), details: { processors } })
          resolve(processors)
          await forEachSource(sources, { log, signal }, (source) => reconcile(database, source, { signal, log }))
          return true
        }).then((isDone) => {
          if (!isDone) reject(new Problem('sync_running'))
        }, reject)
      }),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** One after the other. A failure is logged, unless the service stops, and does not stop the others. */
async function forEachSource(
  sources: readonly SubscriptionSource[],
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
  work: (source: SubscriptionSource) => Promise<unknown>,
): Promise<void> {
  for (const source of sources)
    await work(source).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error, processor: source.processor }, 'reconciliation failed')
    })
}
