import { boundStatement } from '../database/bound-statement.ts'
import type { Rows } from '../database/database.ts'
import { utcText } from '../database/utc-text.ts'
import { auditActions } from './actions.ts'

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
  /** Events at or after this time, RFC 3339. */
  readonly since?: string | undefined
  /** Events before this time, RFC 3339. */
  readonly until?: string | undefined
  /** One action, such as `account.disabled`, or the part before the dot. */
  readonly action?: string | undefined
  /** Accounts and service keys, by their ids. */
  readonly actorIds?: readonly string[] | undefined
  /** What was changed, by its id. */
  readonly targetId?: string | undefined
}

/** Of an event: its time, as text because a JavaScript date would lose the microseconds, and its id. */
export type TrailPosition = readonly [at: string, id: string]

/** Later than every event. */
export const trailStart: TrailPosition = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

export function positionOf({ at, id }: RecordedEvent): TrailPosition {
  return [at, id]
}

const pageRows = 200

/**
 * Every event that matches, newest first, in pages by position (at, id), so that each page costs the same. Events that are recorded
 * meanwhile are not included.
 */
export async function* readTrail(rows: Rows, query: TrailQuery): AsyncGenerator<RecordedEvent, void, void> {
  let before = trailStart
  for (;;) {
    const page = await readTrailPage(rows, query, { before, limit: pageRows })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    before = positionOf(last)
  }
}

/**
 * The next events before a position, newest first. Only the conditions that are given are in the statement, which is planned anew for
 * its values: rare actions and actors are found by their own index, frequent ones by that of the time.
 */
export async function readTrailPage(
  rows: Rows,
  { since, until, action, actorIds, targetId }: TrailQuery,
  { before, limit }: { readonly before: TrailPosition; readonly limit: number },
): Promise<readonly RecordedEvent[]> {
  const { statement, values } = boundStatement('audit_page', (add) => {
    const conditions = [
      `(e.at, e.id) < (${add(before[0])}::timestamptz, ${add(before[1])}::uuid)`,
      ...(since === undefined ? [] : [`e.at >= ${add(since)}::timestamptz`]),
      ...(until === undefined ? [] : [`e.at < ${add(until)}::timestamptz`]),
      ...(action === undefined ? [] : [`e.action = any (${add(actionsOf(action))}::text[])`]),
      ...(actorIds ? [`e.actor_id = any (${add(actorIds)}::uuid[])`] : []),
      ...(targetId === undefined ? [] : [`e.target_id = ${add(targetId)}`]),
    ]
    return `${eventText}\nwhere ${conditions.join('\n  and ')}\norder by e.at desc, e.id desc\nlimit ${add(limit)}`
  })
  const unnamed = { ...statement, name: '' }
  return (await rows.query<{ event: RecordedEvent }>(unnamed, values)).map(({ event }) => event)
}

/** The action, or all with this part before the dot. */
function actionsOf(action: string): readonly string[] {
  return action.includes('.') ? [action] : Object.keys(auditActions).filter((each) => each.startsWith(`${action}.`))
}

const eventText = `
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
from audit_event e`
