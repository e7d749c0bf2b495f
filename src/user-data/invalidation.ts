import type { Logger } from 'pino'
import type { Database, Rows } from '../platform/database/database.ts'
import type { Freshness } from '../platform/database/freshness.ts'
import { type ListenTimings, listen, type NotificationHandlers } from '../platform/database/listen.ts'
import type { ResponseCache } from './cache.ts'

export interface Invalidation {
  /** Resolves when the cache knows of every change that was committed before the call. */
  settled(): Promise<void>
  /** The database was found unreachable: nothing cached is used until a heartbeat that is sent from now on arrives. */
  doubt(): void
  stop(): Promise<void>
}

/** The triggers of migrations/060_changes.sql send an event for each change on this channel. */
const channel = 'muster_changed'

/**
 * Passes invalidation events of the database on to the cache, and disables the cache while they do not arrive. Factors in another
 * product's tables (docs/directory.md) change without an event: with them nothing is cached.
 */
export function startInvalidation(
  database: Database,
  cache: ResponseCache,
  { freshness, log, timings }: { freshness: Freshness; log: Logger; timings?: ListenTimings },
): Invalidation {
  let connection = 0
  let isNotifyBlocked = false

  async function begin(): Promise<void> {
    const mine = connection
    const isOurs = await areFactorsOurs(database).catch(() => false)
    if (mine === connection) cache.setConnected(isOurs)
  }

  const handlers: NotificationHandlers = {
    onNotification(_channel, payload) {
      if (payload === 'directory') restart()
      else cache.invalidate(payload)
    },
    onConnected() {
      isNotifyBlocked = false
      restart()
    },
    onHeartbeat: freshness.begin,
    onLost() {
      connection += 1
      freshness.withdraw()
      cache.setConnected(false)
      log.warn('invalidation connection lost: response cache disabled until it is back')
    },
    onNotifyBlocked() {
      if (isNotifyBlocked) return
      isNotifyBlocked = true
      log.warn(
        'this database connection receives no NOTIFY, as behind a pooler in transaction mode: response cache disabled. See docs/scaling.md',
      )
    },
  }
  const listener = listen(database, [channel], handlers, timings)

  function restart(): void {
    connection += 1
    cache.setConnected(false)
    void begin()
  }

  return {
    settled: () => listener.awaitProcessed(),
    doubt() {
      freshness.withdraw()
      listener.sendHeartbeat()
    },
    stop: () => listener.stop(),
  }
}

/** Whether the view of factors reads our own tables and no other. */
async function areFactorsOurs(rows: Rows): Promise<boolean> {
  const [row] = await rows.query<{ ours: boolean }>(directoryStatement, [])
  return row?.ours ?? false
}

const directoryStatement = {
  name: 'directory_is_ours',
  text: `
select coalesce(bool_and(d.refobjid in (to_regclass('factor'), to_regclass('passkey'), to_regclass('second_factor'))), false) as ours
from pg_rewrite r
join pg_depend d on d.objid = r.oid and d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass
where r.ev_class = to_regclass('directory.factor') and d.refobjid <> r.ev_class`,
}
