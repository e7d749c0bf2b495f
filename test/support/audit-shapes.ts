import { type AuditAction, auditActions } from '../../src/platform/audit/actions.ts'
import type { FreshDatabase } from './database.ts'

/**
 * What each action of the audit trail records: the kind of its target, and the members of its details; what has a `?` may be absent. Every
 * event that a test causes is held to it when its database is dropped.
 */
export const auditShapes = {
  'account.created': ['account'],
  'account.disabled': ['account'],
  'account.enabled': ['account'],
  'account.role_changed': ['account', 'from', 'to'],
  'account.renamed': ['account'],
  'account.displaced': ['account'],
  'account.erase_requested': ['account', 'erasesAt'],
  'account.kept': ['account'],
  'account.erased': ['account'],
  'account.exported': ['account?'],
  'account.email_taken': ['account', 'issuer', 'accountId'],
  'account.linked': ['account', 'issuer'],
  'act_as.started': ['account', 'expiresAt', 'reason?'],
  'act_as.used': ['account', 'operation'],
  'act_as.ended': ['account'],
  'session.opened': ['session?', 'amr?'],
  'session.stepped_up': ['session', 'amr'],
  'session.refused': ['account?', 'step?', 'count?'],
  'session.ended': ['session'],
  'session.all_ended': ['', 'sessions'],
  'session.reused': ['session', 'accountId'],
  'session.suspected': ['session'],
  'device.removed': ['account'],
  'device.revoked': ['account'],
  'account.invited': ['', 'role', 'provesEmail'],
  'account.signed_up': ['account'],
  'password.changed': ['account'],
  'password.expired': ['account', 'scheme'],
  'password.refused': ['account'],
  'code.refused': ['account'],
  'factor.added': ['factor', 'type?'],
  'factor.removed': ['factor'],
  'passkey.counter': ['factor', 'accountId'],
  'recovery_codes.replaced': ['account'],
  'recovery.link_created': ['account', 'resetsFactors', 'isMailed'],
  'recovery.completed': ['account', 'resetsFactors'],
  'recovery.device_known': ['account'],
  'account.unlocked': ['account'],
  'account.email_changed': ['account'],
  'account.email_requested': ['account'],
  'account.email_withdrawn': ['account'],
  'account.email_confirmed': ['account'],
  'account.email_undone': ['account'],
  'factors.reset': ['account'],
  'signing_key.rotated': ['signing_key', 'withdrawsOld'],
  'role.created': ['role'],
  'role.removed': ['role'],
  'role.mfa_changed': ['role', 'requiresMfa'],
  'role.granted': ['role', 'resource', 'action'],
  'role.revoked': ['role', 'resource', 'action'],
  'plan.created': ['plan', 'name?', 'isDefault?'],
  'plan.changed': ['plan', 'name?', 'mapped?', 'unmapped?', 'isDefault?', 'rank?'],
  'plan.removed': ['plan'],
  'plan.granted': ['plan', 'resource', 'action'],
  'plan.revoked': ['plan', 'resource', 'action'],
  'service_key.created': ['service_key', 'name', 'permissions', 'organization?', 'expiresAt'],
  'service_key.rotated': ['service_key', 'by', 'endsAt'],
  'service_key.revoked': ['service_key'],
  'webhook_endpoint.created': ['webhook_endpoint', 'host', 'events'],
  'webhook_endpoint.changed': ['webhook_endpoint', 'host?', 'events?', 'isEnabled?'],
  'webhook_endpoint.rotated': ['webhook_endpoint', 'overlapSeconds'],
  'webhook_endpoint.removed': ['webhook_endpoint'],
  'webhook_endpoint.tested': ['webhook_endpoint'],
  'webhook_endpoint.replayed': ['webhook_endpoint', 'deliveries'],
  'webhook_endpoint.disabled': ['webhook_endpoint', 'why'],
  'organization.created': ['organization'],
  'organization.renamed': ['organization', 'from', 'to'],
  'organization.deleted': ['organization', 'name', 'members', 'serviceKeys', 'subscriptions?'],
  'organization.mfa_changed': ['organization', 'requiresMfa'],
  'invitation.created': ['invitation', 'organization', 'role', 'isMailed?'],
  'invitation.sent': ['invitation', 'organization', 'isMailed?'],
  'invitation.declined': ['invitation', 'organization'],
  'invitation.revoked': ['invitation', 'organization'],
  'invitation.accepted': ['invitation', 'organization', 'role'],
  'membership.added': ['account', 'organization', 'role'],
  'membership.role_changed': ['account', 'organization', 'from', 'to'],
  'membership.removed': ['account', 'organization'],
  'provider_key.checked': ['', 'provider?', 'keyType?', 'outcome?', 'isProofSent?'],
  'customer.linked': ['customer', 'account?', 'organization?'],
  'billing.sync_started': ['', 'processors'],
  'customer.confirmed': ['customer', 'account?', 'organization?'],
} as const satisfies Readonly<Record<AuditAction, readonly [string, ...string[]]>>

/** Throws where an event of the database is not as `auditShapes` has it. Actions that only tests have are passed over. */
export async function checkAuditTrail({ sql }: Pick<FreshDatabase, 'sql'>): Promise<void> {
  const tables = await sql(`select from pg_class where relname = 'audit_event'`)
  if (tables.length === 0) return
  const rows = await sql<EventShape>(shapesStatement)
  const isErased = rows.some(({ action }) => action === 'account.erased')
  const wrong = rows.filter((row) => isAction(row.action) && !hasShape(row, auditShapes[row.action], isErased))
  if (wrong.length > 0) throw new Error(`Events of the audit trail have an unexpected shape: ${JSON.stringify(wrong)}`)
}

interface EventShape {
  readonly action: string
  readonly target: string
  readonly details: readonly string[]
}

/** An erasure removes what is of the person from the details. */
function hasShape({ target, details }: EventShape, shape: readonly [string, ...string[]], isErased: boolean): boolean {
  const [kind, ...members] = shape
  const isTarget = target === nameOf(kind) || (target === '' && isOptional(kind))
  const isWhole = members.every((member) => isOptional(member) || details.includes(member))
  const isKnown = details.every((name) => members.some((member) => nameOf(member) === name))
  return isTarget && (isErased || (isWhole && isKnown))
}

const isOptional = (member: string) => member.endsWith('?')
const nameOf = (member: string) => member.replace('?', '')

function isAction(action: string): action is AuditAction {
  return Object.hasOwn(auditActions, action)
}

const shapesStatement = `
select distinct action, coalesce(target_kind, '') as target, array(select jsonb_object_keys(details) order by 1) as details
from audit_event`
