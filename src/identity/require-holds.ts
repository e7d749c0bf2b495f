import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Grant } from './permission-scope.ts'

/** Which role of the caller counts: the role of the account, or the role in one organization. */
type RoleScope = 'account' | { readonly organizationId: string }

/** Missing permissions: resource to actions. */
type MissingGrants = Readonly<Record<string, readonly string[]>>

/**
 * Checks that the caller's own role grants everything that these roles grant. Every write that assigns, changes or
 * removes a role calls it for the old and the new role, in the transaction of the change and under its lock, because
 * the caller's own role may change until then. Plans do not count, and roles in organizations do not count for the role
 * of an account.
 * Problem: `permission_exceeds`.
 */
export async function requireHolds(
  rows: Rows,
  callerId: string,
  roleIds: readonly string[],
  scope: RoleScope,
): Promise<void> {
  const missing = await missingGrants(rows, callerId, roleIds, scope)
  if (!missing) return
  refuse('permission_exceeds', { detail: 'Your own role does not grant everything that this role grants.', missing })
}

/**
 * Checks that the role of the caller's account grants all of `grants`. `needed` completes the sentence "Your own role
 * does not grant …".
 * Problem: `permission_exceeds`.
 */
export async function requireHoldsGrants(
  rows: Rows,
  callerId: string,
  grants: readonly Grant[],
  needed: string,
): Promise<void> {
  const values = [callerId, grants.map(({ resource }) => resource), grants.map(({ action }) => action)]
  const missing = missingOf(await rows.query<Lacking>(lackingGrantsStatement, values))
  if (!missing) return
  refuse('permission_exceeds', { detail: `Your own role does not grant ${needed}.`, missing })
}

/** What these roles grant beyond the account's own role. Undefined if nothing. */
async function missingGrants(
  rows: Rows,
  accountId: string,
  roleIds: readonly string[],
  scope: RoleScope,
): Promise<MissingGrants | undefined> {
  const organizationId = scope === 'account' ? null : scope.organizationId
  return missingOf(await rows.query<Lacking>(lackingStatement, [accountId, organizationId, roleIds]))
}

function missingOf(lacking: readonly Lacking[]): MissingGrants | undefined {
  if (lacking.length === 0) return undefined
  return Object.fromEntries(lacking.map(({ resource, actions }) => [resource, actions]))
}

export interface RoleChange {
  readonly callerId: string
  readonly accountId: string
  readonly from: string
  readonly to: string
}

/**
 * Checks a change of a role. Callers can change their own role only to one that grants less.
 * Problems: `permission_exceeds`, `self_change`.
 */
export async function requireRoleChange(
  rows: Rows,
  { callerId, accountId, from, to }: RoleChange,
  scope: RoleScope,
): Promise<void> {
  if (callerId === accountId) {
    const [step] = await rows.query<{ down: boolean }>(stepDownStatement, [from, to])
    if (!step?.down) refuse('self_change')
  }
  await requireHolds(rows, callerId, [from, to], scope)
}

interface Lacking {
  readonly resource: string
  readonly actions: readonly string[]
}

/** $1 account, $2 organization or null, $3 roles. */
const lackingStatement = {
  name: 'role_lacking',
  text: `
with own as (
  select role_id from account where id = $1 and $2::uuid is null
  union all
  select role_id from membership where account_id = $1 and organization_id = $2
)
select g.resource, array_agg(distinct g.action order by g.action) as actions
from role_grant g
where g.role_id = any($3::text[])
  and not exists (
    select from role_grant h join own using (role_id) where h.resource = g.resource and h.action = g.action)
group by g.resource
order by g.resource`,
}

/** $1 account, $2 resources, $3 actions. */
const lackingGrantsStatement = {
  name: 'grants_lacking',
  text: `
select w.resource, array_agg(distinct w.action order by w.action) as actions
from unnest($2::text[], $3::text[]) as w (resource, action)
where not exists (
  select from account a join role_grant h using (role_id)
  where a.id = $1 and h.resource = w.resource and h.action = w.action)
group by w.resource
order by w.resource`,
}

/** $1 old role, $2 new role: whether the new role grants a proper subset. */
const stepDownStatement = {
  name: 'role_step_down',
  text: `
with before as (select resource, action from role_grant where role_id = $1),
  after as (select resource, action from role_grant where role_id = $2)
select not exists (select * from after except select * from before)
       and exists (select * from before except select * from after) as down`,
}
