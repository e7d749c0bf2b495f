import { authorize } from '../identity/authorize.ts'
import type { AuditOrigin } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import type { Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'

/** A request about one organisation: the caller, the organisation, and the origin for the audit trail. */
export interface MembershipRequest {
  readonly caller: UserCaller
  readonly organizationId: string
  readonly origin: AuditOrigin
}

/**
 * Locks the organisation, checks the permission again, then runs `work` in the same transaction. The gate has checked it before, but
 * without the lock: when two owners remove each other at the same moment, the second one is no longer an owner by now.
 * Problems: those of `authorize`.
 */
export function changeOrganization<Result>(
  database: Database,
  { caller, organizationId }: MembershipRequest,
  permission: Permission,
  work: (rows: Rows, accountId: string) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    return work(rows, await authorize(rows, caller, permission, { organizationId }))
  })
}

/** Serialises changes to one organisation until the transaction ends. */
export async function lockOrganization(rows: Rows, organizationId: string): Promise<void> {
  await rows.query(lockStatement, [organizationId])
}

/**
 * Refuses a change that leaves an organisation without a manager. `before` is the role that the changed member had: if it did not
 * grant `manage`, the number of managers is the same as before. Problem: `last_owner`.
 */
export async function requireManager(rows: Rows, organizationId: string, before: string): Promise<void> {
  const [row] = await rows.query<{ managed: boolean; left: boolean }>(managersStatement, [organizationId, before])
  if (row?.managed && !row.left) refuse('last_owner', { detail: 'Make another member an owner first.' })
}

const lockStatement = { name: 'organization_lock', text: 'select from organization where id = $1 for no key update' }

const managersStatement = {
  name: 'organization_managers',
  text: `
with managing as (select role_id from role_grant where resource = 'organization' and action = 'manage')
select $2 in (select role_id from managing) as managed,
       exists (select from membership m
               join managing using (role_id)
               join account a on a.id = m.account_id and a.disabled_at is null
               where m.organization_id = $1) as "left"`,
}
