import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import type { SubscriptionSource } from './events.ts'
import { type SyncReport, syncSubscriptions } from './sync.ts'

/** How often each node looks whether it is time. */
const lookEveryMs = 300_000

/** Compares all subscriptions with the payment processor's every so many hours, on one node of all. `stop` waits for what is running. */
export function scheduleSync(
  database: Database,
  source: SubscriptionSource,
  { everyHours, log }: { everyHours: number; log: Logger },
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const look = () => {
    running = running
      .then(() => syncIfDue(database, source, { everyHours, log, signal: stopping.signal }))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'subscriptions could not be compared')
      })
  }
  const timer = everyHours > 0 ? setInterval(look, lookEveryMs).unref() : undefined
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/**
 * One comparison, if the last one by any node is long enough ago and no other node is at it. The lock belongs to a connection: it
 * ends with the node that holds it, however that ends.
 */
export async function syncIfDue(
  database: Database,
  source: SubscriptionSource,
  { everyHours, log, signal }: { everyHours: number; log: Logger; signal?: AbortSignal },
): Promise<SyncReport | undefined> {
  const isDue = async () => (await database.query(dueStatement, [source.processor, everyHours])).length > 0
  if (!(await isDue())) return undefined
  const client = await database.connect()
  try {
    const { rows } = await client.query<{ won: boolean }>('select pg_try_advisory_lock($1) as won', [leaderLock])
    // Asked again: the node that was at it a moment ago may be done.
    if (rows[0]?.won !== true || !(await isDue())) return undefined
    const report = await syncSubscriptions(database, source, { signal })
    await database.query(finishedStatement, [source.processor])
    tell(report, log)
    return report
  } finally {
    await client.end()
  }
}

/** The name of the lock: "Mustr" and a number. */
const leaderLock = 0x4d_75_73_74_72_05

const dueStatement = {
  name: 'billing_sync_due',
  text: `
select 1
where not exists (select from billing_sync where processor = $1 and finished_at > now() - make_interval(hours => $2::int))`,
}

const finishedStatement = {
  name: 'billing_sync_finished',
  text: `
insert into billing_sync (processor, finished_at) values ($1, now())
on conflict (processor) do update set finished_at = excluded.finished_at`,
}

/** What was repaired is told one by one: each of them is an event that got lost. */
function tell({ checked, repaired, linked, unknown }: SyncReport, log: Logger): void {
  for (const { id, changes } of repaired) log.warn({ subscription: id, changes }, 'a subscription was repaired')
  const counts = { checked, repaired: repaired.length, linked: linked.length, unknown: unknown.length }
  log.info(counts, 'subscriptions compared with the payment processor')
}
