import type { Rows } from '../database/database.ts'
import type { AuditAction } from './actions.ts'

/** What an event tells beside who, what and whom. Never a secret: the type has no place for one. */
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
  readonly id: string
}

export interface AuditEvent {
  readonly action: AuditAction
  /** The account that did it. Left out for the operator at the machine, and where nobody is known. */
  readonly actorId?: string | undefined
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

/**
 * Notes an event. Give it the rows of the transaction that makes the change: then there is no change without its event, and no
 * event without its change.
 */
export async function recordAudit(rows: Rows, event: AuditEvent): Promise<void> {
  const { action, actorId, target, address, requestId, details = {} } = event
  await rows.query(insertStatement, [
    action,
    actorId ?? null,
    target?.kind ?? null,
    target?.id ?? null,
    address ?? null,
    requestId ?? null,
    JSON.stringify(details),
  ])
}

const insertStatement = {
  name: 'audit_insert',
  text: `
insert into audit_event (action, actor_id, target_kind, target_id, address, request_id, details)
values ($1, $2, $3, $4, $5, $6, $7)`,
}
