import type { Rows } from '../database/database.ts'
import { utcText } from '../database/utc-text.ts'

/** One event as text and JSON, for output. Times are ISO 8601 in UTC with microseconds. */
export interface RecordedEvent {
  readonly id: string
  readonly at: string
  readonly action: string
  /** Who acted. Absent where it is not known, such as of a sign-in that was refused. */
  readonly actorKind?: 'account' | 'service' | 'operator'
  /** Of the account or the service key. */
  readonly actorId?: string
  readonly actorEmail?: string
  /** Of the service key. */
  readonly actorName?: string
  /** The user of the operating system who ran a command. */
  readonly operator?: string
  readonly target?: { readonly kind: string; readonly id: string }
  readonly address?: string
  readonly requestId?: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface TrailQuery {
  /** Events at or after this time. */
  readonly since?: Date | undefined
  /** One action, such as `account.disabled`, or the part before the dot. */
  readonly action?: string | undefined
  /** Accounts and service keys, by their ids. */
  readonly actorIds?: readonly string[] | undefined
}

const pageRows = 200

/**
 * Every event that matches, newest first, in pages by position (at, id), so that each page costs the same. Events that are recorded
 * meanwhile are not included.
 */
export async function* readTrail(rows: Rows, query: TrailQuery): AsyncGenerator<RecordedEvent, void, void> {
  let before: readonly [string, string] = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  for (;;) {
    const { since, action, actorIds } = query
    const page = await rows.query<{ event: RecordedEvent }>(pageStatement, [
      since ?? '-infinity',
      action === undefined || action.includes('.') ? (action ?? null) : null,
      action !== undefined && !action.includes('.') ? action : null,
      actorIds ?? null,
      ...before,
      pageRows,
    ])
    for (const { event } of page) yield event
    const last = page.at(-1)?.event
    if (!last || page.length < pageRows) return
    before = [last.at, last.id]
  }
}

/**
 * $1 since, $2 action, $3 the part of the action before the dot, $4 actors, $5 and $6 the position (at, id), $7 the page size.
 * The position stays text: a JavaScript date would lose the microseconds.
 */
const pageStatement = {
  name: 'audit_page',
  text: `
select json_strip_nulls(json_build_object(
         'id', e.id,
         'at', ${utcText('e.at')},
         'action', e.action,
         'actorKind', coalesce(e.actor_kind, case when e.actor_id is not null then 'account'
                                                  when e.operator is not null then 'operator' end),
         'actorId', e.actor_id,
         'actorEmail', (select a.email from account a where a.id = e.actor_id),
         'actorName', (select k.name from service_key k where k.id = e.actor_id),
         'operator', e.operator,
         'target', case when e.target_kind is not null
                     then json_build_object('kind', e.target_kind, 'id', e.target_id) end,
         'address', e.address,
         'requestId', e.request_id,
         'details', e.details)) as event
from audit_event e
where (e.at, e.id) < ($5::timestamptz, $6::uuid)
  and e.at >= $1
  and ($2::text is null or e.action = $2)
  and ($3::text is null or split_part(e.action, '.', 1) = $3)
  and ($4::uuid[] is null or e.actor_id = any ($4))
order by e.at desc, e.id desc
limit $7`,
}
