import { createBatches, type Rows, unnestOf } from '../database/database.ts'
import type { AuditAction } from './actions.ts'

/** Additional members of an event. The type excludes `Secret`. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>

interface AuditTarget {
  readonly kind:
    | 'account'
    | 'organization'
    | 'invitation'
    | 'session'
    | 'factor'
    | 'signing_key'
    | 'role'
    | 'plan'
    | 'customer'
    | 'provider'
    | 'service_key'
    | 'webhook_endpoint'
  readonly id: string
}

/** An account or a service key. Neither if the actor is unknown, or is an operator of the CLI (`Rows.operator`). */
type AuditActor =
  | { readonly actorId?: string | undefined; readonly serviceKeyId?: never }
  | { readonly serviceKeyId: string; readonly actorId?: never }

export type RecordedEvent = AuditActor & {
  readonly action: AuditAction
  readonly target?: AuditTarget | undefined
  readonly address?: string | undefined
  readonly requestId?: string | undefined
  readonly details?: AuditDetails
}

/** Where a request came from, for the events that it causes. */
export interface AuditOrigin {
  readonly address?: string | undefined
  readonly requestId?: string | undefined
}

export function originOfRequest({ client, id }: RequestOrigin): AuditOrigin {
  return { address: client.address, requestId: id }
}

interface RequestOrigin {
  readonly client: { readonly address: string }
  readonly id: string
}

/** Records an event. Pass the `rows` of the transaction that makes the change, so that both are committed together or not at all. */
export async function recordAudit(rows: Rows, event: RecordedEvent): Promise<void> {
  await insert(rows, [event])
}

/** Records events outside of transactions, in one statement for concurrent requests. Resolves when the event is committed. */
export function createAuditRecorder(rows: Rows): RecordAudit {
  return createBatches(async (events: readonly RecordedEvent[]) => {
    await insert(rows, events)
    return events.map(() => undefined)
  })
}

export type RecordAudit = (event: RecordedEvent) => Promise<void>

async function insert(rows: Rows, events: readonly RecordedEvent[]): Promise<void> {
  const eventValues = events.map((event) => valuesOf(rows, event))
  const columns = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((column) => eventValues.map((values) => values[column]))
  await rows.query(insertStatement, columns)
}

function valuesOf(rows: Rows, event: RecordedEvent): readonly (string | null)[] {
  const { action, actorId, serviceKeyId, target, address, requestId, details = {} } = event
  return [
    action,
    actorId ?? serviceKeyId ?? null,
    target?.kind ?? null,
    target?.id ?? null,
    address ?? null,
    requestId ?? null,
    JSON.stringify(details),
    rows.operator ?? null,
    kindOfActor(event, rows),
  ]
}

function kindOfActor({ actorId, serviceKeyId }: RecordedEvent, { operator }: Rows): string | null {
  if (serviceKeyId !== undefined) return 'service'
  if (actorId !== undefined) return 'account'
  return operator === undefined ? null : 'operator'
}

const insertStatement = {
  name: 'audit_insert',
  text: `
insert into audit_event (action, actor_id, target_kind, target_id, address, request_id, details, operator, actor_kind)
select * from ${unnestOf('text', 'uuid', 'text', 'text', 'text', 'text', 'jsonb', 'text', 'text')}`,
}

/**
 * Records a rejected sign-in. Increments `count` of an event of the same account and address within 10 minutes instead of adding one
 * event per guess. Two concurrent first rejections may add two events.
 */
export async function recordRejectedSignIn(
  rows: Rows,
  {
    target,
    origin,
    step,
  }: { readonly target?: AuditTarget | undefined; readonly origin: AuditOrigin; readonly step?: 'second' },
): Promise<void> {
  await rows.query(rejectedSignInStatement, [
    target?.kind ?? null,
    target?.id ?? null,
    origin.address ?? null,
    origin.requestId ?? null,
    step ?? null,
  ])
}

/** $1 target kind, $2 target ID, $3 address, $4 request ID, $5 step. All may be null. */
const rejectedSignInStatement = {
  name: 'audit_refusal',
  text: `
with known as (
  select id from audit_event
  where action = 'session.refused' and address = $3::text and at > now() - interval '10 minutes'
    and target_id is not distinct from $2::text and details ->> 'step' is not distinct from $5::text
  order by at desc
  limit 1
), counted as (
  update audit_event e
  set details = e.details || jsonb_build_object('count', coalesce((e.details ->> 'count')::int, 1) + 1)
  from known where e.id = known.id
  returning e.id
)
insert into audit_event (action, target_kind, target_id, address, request_id, details)
select 'session.refused', $1::text, $2::text, $3::text, $4::text, json_strip_nulls(json_build_object('step', $5::text))::jsonb
where not exists (select from counted)`,
}
