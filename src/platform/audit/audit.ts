import { createBatches, itemsOf } from '../database/batches.ts'
import type { Rows } from '../database/database.ts'
import type { AuditAction } from './actions.ts'

/** Further members of an event. Never a secret: `Secret` is not assignable. */
export type AuditDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>

export interface AuditTarget {
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

/** An account or a service key. Neither for an operator at the machine, whom `Rows.operator` names, and where it is unknown who acted. */
type AuditActor =
  | { readonly actorId?: string | undefined; readonly serviceKeyId?: never }
  | { readonly serviceKeyId: string; readonly actorId?: never }

export type AuditEvent = AuditActor & {
  readonly action: AuditAction
  readonly target?: AuditTarget | undefined
  readonly address?: string | undefined
  readonly requestId?: string | undefined
  readonly details?: AuditDetails
}

/** The origin of a request, for the events that it causes. */
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

/**
 * Records an event. Pass the rows of the transaction that makes the change, so that both are committed together or not at all.
 */
export async function recordAudit(rows: Rows, event: AuditEvent): Promise<void> {
  await insert(rows, [event])
}

/** Records events that belong to no transaction, those of concurrent requests by one statement. Resolves when the event is committed. */
export function createAuditRecorder(rows: Rows): RecordAudit {
  return createBatches(async (events: readonly AuditEvent[]) => {
    await insert(rows, events)
    return events.map(() => undefined)
  })
}

export type RecordAudit = (event: AuditEvent) => Promise<void>

async function insert(rows: Rows, events: readonly AuditEvent[]): Promise<void> {
  const inserted = events.map((event) => valuesOf(rows, event))
  const columns = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((column) => inserted.map((values) => values[column]))
  await rows.query(insertStatement, columns)
}

function valuesOf(rows: Rows, event: AuditEvent): readonly (string | null)[] {
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

function kindOfActor({ actorId, serviceKeyId }: AuditEvent, { operator }: Rows): string | null {
  if (serviceKeyId !== undefined) return 'service'
  if (actorId !== undefined) return 'account'
  return operator === undefined ? null : 'operator'
}

const insertStatement = {
  name: 'audit_insert',
  text: `
insert into audit_event (action, actor_id, target_kind, target_id, address, request_id, details, operator, actor_kind)
select * from ${itemsOf('text', 'uuid', 'text', 'text', 'text', 'text', 'jsonb', 'text', 'text')}`,
}
