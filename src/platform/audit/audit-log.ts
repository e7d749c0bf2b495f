import { boundStatement, type Rows } from '../database/database.ts'
import { utcText } from '../database/utc-text.ts'
import { auditActions } from './actions.ts'

/** One event, for output. Times are RFC 3339 in UTC with microseconds. */
export interface RecordedEvent {
  readonly id: string
  readonly at: string
  readonly action: string
  /** Missing if the actor is unknown, such as for a rejected sign-in. */
  readonly actorKind?: 'account' | 'service' | 'operator'
  /** ID of the account or service key. */
  readonly actorId?: string
  readonly actorEmail?: string
  /** Name of the service key. */
  readonly actorName?: string
  /** The operating system user who ran a CLI command. */
  readonly operator?: string
  readonly target?: { readonly kind: string; readonly id: string }
  readonly address?: string
  readonly requestId?: string
  readonly details: Readonly<Record<string, unknown>>
}

export interface AuditFilter {
  /** Events at or after this time, RFC 3339. */
  readonly since?: string | undefined
  /** Events before this time, RFC 3339. */
  readonly until?: string | undefined
  /** One action, such as `account.disabled`, or a group, such as `account`. */
  readonly action?: string | undefined
  /** IDs of accounts and service keys. */
  readonly actorIds?: readonly string[] | undefined
  /** ID of what was changed. */
  readonly targetId?: string | undefined
}

/** Time and ID of an event. The time is text, because a JavaScript date would lose the microseconds. */
export type AuditPosition = readonly [at: string, id: string]

/** Later than every event. */
export const newestPosition: AuditPosition = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

export function positionOf({ at, id }: RecordedEvent): AuditPosition {
  return [at, id]
}

const pageRows = 200

/** Yields all matching events, newest first. Reads keyset pages, so that each costs the same. Excludes events recorded meanwhile. */
export async function* readAuditLog(rows: Rows, query: AuditFilter): AsyncGenerator<RecordedEvent, void, void> {
  let before = newestPosition
  for (;;) {
    const page = await readAuditPage(rows, query, { before, limit: pageRows })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    before = positionOf(last)
  }
}

/**
 * Returns the next events before a position, newest first. The statement is unnamed, so that PostgreSQL plans it for its values: it finds
 * rare actions and actors by their own index and frequent ones by the index of the time.
 */
export async function readAuditPage(
  rows: Rows,
  { since, until, action, actorIds, targetId }: AuditFilter,
  { before, limit }: { readonly before: AuditPosition; readonly limit: number },
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

/** The action, or all actions of a group. */
function actionsOf(action: string): readonly string[] {
  return action.includes('.') ? [action] : Object.keys(auditActions).filter((name) => name.startsWith(`${action}.`))
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
