import { type FeedSettings, type FollowedDatabase, followChanges } from '../platform/database/change-feed.ts'
import type { Rows } from '../platform/database/database.ts'
import type { ResponseCache } from './cache.ts'

export interface Invalidation {
  /** Resolves when the cache knows of every change that was committed before the call. */
  settled(): Promise<void>
  /** The database was found unreachable: nothing cached is used until a look at the changes that begins from now on arrives. */
  doubt(): void
  stop(): void
}

export interface InvalidationSettings extends Pick<FeedSettings, 'freshness' | 'log' | 'timers'> {
  readonly freshnessSeconds: number
  readonly pollMs: number
}

/**
 * Passes the changes of the database on to the cache, which is disabled until the first look at them. Factors in another product's
 * tables (docs/directory.md) change without an event: with them nothing is cached.
 */
export function startInvalidation(
  database: FollowedDatabase,
  cache: ResponseCache,
  settings: InvalidationSettings,
): Invalidation {
  async function apply(events: readonly string[] | undefined): Promise<void> {
    if (events && !events.includes('directory')) return events.forEach(cache.invalidate)
    cache.setConnected(false)
    cache.setConnected(await areFactorsOurs(database.side))
  }

  const feed = followChanges(database, apply, feedSettings(settings))
  return {
    settled: feed.settled,
    doubt() {
      settings.freshness.withdraw()
      void feed.settled()
    },
    stop: feed.stop,
  }
}

/** Five proofs while one lasts: one that is late does not end it. Another host is found before the proof has ended. */
function feedSettings({ freshness, freshnessSeconds, pollMs, log, timers }: InvalidationSettings): FeedSettings {
  const proofMs = freshnessSeconds * 1_000
  const proofEveryMs = proofMs / 5
  const everyMs = Math.min(pollMs, proofEveryMs)
  return { freshness, log, timers, everyMs, proofEveryMs, lateMs: (proofMs * 2) / 5, timeoutMs: proofMs }
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
