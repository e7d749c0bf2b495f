import type { Rows } from './database.ts'

/** Up to where a reader has seen the changes of the database. */
export interface FeedPosition {
  /** Differs after whatever a position does not survive: a crash, a restart, a failover, a load, another server. */
  readonly history: string
  /** What was visible at the last look: `xmin:xmax:running transactions`. */
  readonly snapshot: string
  /** How often old events had been removed. */
  readonly truncations: string
}

export interface FoundChanges {
  readonly position: FeedPosition
  /** `account:<id>`, `organization:<id>`, `all` or `directory`; undefined where some may have been missed, such as at the first look. */
  readonly events: readonly string[] | undefined
  /** Whether commits wait for a standby. */
  readonly hasSyncStandbys: boolean
}

/** With more events than these in one look, everything counts as changed. */
export const eventsMax = 10_000

/**
 * What was committed since the last look. A change counts as seen by its transaction, and not by a number or a time: transactions
 * commit in another order than they begin, and a long one is neither missed nor looked for again and again.
 */
export async function readChanges(rows: Rows, since: FeedPosition | undefined): Promise<FoundChanges> {
  const found = (await look(rows, since)) ?? (await beginHistory(rows, since))
  const { history, snapshot, truncations, isLost, hasSyncStandbys } = found
  const events = found.events?.split(' ') ?? []
  const isContinued = since?.history === history && !isLost
  return {
    position: { history, snapshot, truncations },
    hasSyncStandbys,
    events: !isContinued ? undefined : events.length > eventsMax ? ['all'] : events,
  }
}

interface LookRow extends FeedPosition {
  readonly isLost: boolean
  readonly hasSyncStandbys: boolean
  /** With a space between them, because a list is read letter by letter; null where there are none. */
  readonly events: string | null
}

/** Undefined where there is no history yet. */
async function look(rows: Rows, since: FeedPosition | undefined): Promise<LookRow | undefined> {
  const [row] = await rows.query<LookRow>(lookStatement, [since?.snapshot ?? null, since?.truncations ?? null])
  return row
}

async function beginHistory(rows: Rows, since: FeedPosition | undefined): Promise<LookRow> {
  await rows.query(beginStatement, [])
  const row = await look(rows, since)
  if (!row) throw new Error('The table change_feed has no row.')
  return row
}

const since = '(select $1::pg_snapshot)'

/**
 * $1 the snapshot of the last look, $2 its truncations. Both ends of the range, and one lookup for each transaction that ran, let the
 * planner choose the indexes whatever it knows of tables that grow from nothing within minutes. It does not see the value of the
 * snapshot, with which it would plan each look anew.
 */
export const lookStatement = {
  name: 'change_feed_look',
  text: `
select pg_current_snapshot()::text as snapshot,
       concat_ws(' ', f.epoch, f.tableoid, extract(epoch from pg_postmaster_start_time())) as history,
       f.truncations::text as truncations,
       coalesce(f.truncations <> $2::bigint and f.truncated_to >= pg_snapshot_xmin(${since}), false) as "isLost",
       current_setting('synchronous_standby_names') <> '' as "hasSyncStandbys",
       (select string_agg(event, ' ') from (
         select kind || coalesce(':' || id, '') from change_event
         where xid >= pg_snapshot_xmax(${since}) and xid < pg_snapshot_xmax(pg_current_snapshot())
         union all
         select e.kind || coalesce(':' || e.id, '')
         from pg_snapshot_xip(${since}) running (xid)
         cross join lateral (select kind, id from change_event where xid = running.xid offset 0) e
         limit ${eventsMax + 1}
       ) found (event)) as events
from change_feed f`,
}

const beginStatement = {
  name: 'change_feed_begin',
  text: 'insert into change_feed default values on conflict do nothing',
}
