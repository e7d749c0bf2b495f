import { authorize } from '../identity/authorize.ts'
import { requireHolds } from '../identity/require-holds.ts'
import type { AuditOrigin } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import type { Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'

/** A change of one organization by a member, limited by their own role, or by an operator on the command line. */
export interface OrganizationChange {
  readonly organizationId: string
  readonly by: { readonly caller: UserCaller; readonly origin: AuditOrigin } | 'operator'
}

export interface Actor {
  /** Undefined for an operator. */
  readonly id: string | undefined
  /** For the audit log. */
  readonly origin: AuditOrigin & { readonly actorId?: string }
  /** Checks that the member's own role grants everything that these roles grant. Problem: `permission_exceeds`. */
  requireHolds(roleIds: readonly string[]): Promise<void>
}

/**
 * Locks the organization, checks the permission again, then runs `work` in the same transaction. The gate checked it
 * without the lock: if two owners remove each other at the same time, the second is no longer an owner.
 * Problems: those of `authorize`.
 */
export function changeOrganization<Result>(
  database: Database,
  { organizationId, by }: OrganizationChange,
  permission: Permission,
  work: (rows: Rows, actor: Actor) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    if (by === 'operator') return work(rows, { id: undefined, origin: {}, requireHolds: async () => undefined })
    const id = await authorize(rows, by.caller, permission, { organizationId })
    return work(rows, {
      id,
      origin: { actorId: id, ...by.origin },
      requireHolds: (roleIds) => requireHolds(rows, id, roleIds, { organizationId }),
    })
  })
}

/** Runs changes to one organization one after the other, until the transaction ends. */
export async function lockOrganization(rows: Rows, organizationId: string): Promise<void> {
  await rows.query(lockStatement, [organizationId])
}

/**
 * Rejects a change that leaves an organization without a manager. `before` is the previous role of the changed member:
 * if it did not grant `manage`, the number of managers has not changed. Problem: `last_owner`.
 */
export async function requireManager(rows: Rows, organizationId: string, before: string): Promise<void> {
  const [row] = await rows.query<{ managed: boolean; left: boolean }>(managersStatement, [organizationId, before])
  if (row?.managed && !row.left) refuse('last_owner', { detail: 'Make another member an owner first.' })
}

export interface NewMembership {
  readonly organizationId: string
  readonly accountId: string
  readonly roleId: string
}

/**
 * Adds a member, and deletes the invitation to the email that the account has verified. Returns false, and changes
 * nothing, if the account is already a member.
 */
export async function addMembership(
  rows: Rows,
  { organizationId, accountId, roleId }: NewMembership,
): Promise<boolean> {
  return (await rows.query(addStatement, [organizationId, accountId, roleId])).length > 0
}

/** SQL expression: the verified email of an account, normalized, or null. */
export const verifiedEmailOf = (accountId: string) =>
  `(select lower(a.email) from account a where a.id = ${accountId} and a.email_proved_at is not null)`

const addStatement = {
  name: 'membership_add',
  text: `
with added as (
  insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)
  on conflict (organization_id, account_id) do nothing
  returning organization_id, account_id
), accepted as (
  delete from invitation i using added
  where i.organization_id = added.organization_id and i.email = ${verifiedEmailOf('added.account_id')}
)
select account_id from added`,
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
