import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import { runOnOneNode } from '../platform/database/named-locks.ts'
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
  const check = async () => {
    for (const source of sources)
      await syncIfDue(database, source, { everyHours, log, signal, traceJob }).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, processor: source.processor }, 'reconciliation failed')
      })
  }
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
