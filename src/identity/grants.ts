import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { type Administration, keepAdministrator } from './administrators.ts'
import { type Grant, needsRoleForAccounts } from './permission-scope.ts'

/** A permission in text form: `resource:action`. */
export const permissionPattern = /^([a-z][a-z0-9_]{0,62}):([a-z][a-z0-9_]{0,62})$/

export interface Holder {
  readonly kind: 'role' | 'plan'
  readonly id: string
}

/** A role or a plan with its grants. */
export interface GrantsRow extends Holder {
  readonly name: string
  /** Number of accounts and memberships with the role, or of subscriptions to the plan. */
  readonly holders: number
  /** true: a role for members of organizations. false: a role for accounts. */
  readonly forMembers?: boolean
  /** Whether the grants count only in sessions with a second factor. */
  readonly requiresMfa?: boolean
  /** `resource:action`. */
  readonly grants: readonly string[]
}

/** All roles, then all plans. Each is the JSON text of a `GrantsRow`. */
export function streamGrants(database: Database): AsyncIterable<readonly string[]> {
  return database.stream(listStatement, [])
}

/** All roles, sorted by id: the JSON text of `ListedRoles`. */
export async function readRoles(rows: Rows): Promise<string> {
  const [found] = await rows.query<{ body: string }>(rolesStatement, [])
  if (!found) throw new Error('The query of the roles returned no row.')
  return found.body
}

/** SQL expression: a JSON object from resource to actions, over rows of `g`. */
export function permissionsSql(rowsOfG: string): string {
  return `coalesce((select json_object_agg(resource, actions order by resource)
                    from (select g.resource, json_agg(g.action order by g.action) as actions
                          from ${rowsOfG} group by g.resource) by_resource), '{}')`
}

export async function holderExists(rows: Rows, { kind, id }: Holder): Promise<boolean> {
  const found = await rows.query(of[kind].find, [id])
  return found.length > 0
}

export type RoleKind = 'account' | 'member'

/** Sorted ids of the roles of one kind. */
export async function rolesFor(rows: Rows, kind: RoleKind): Promise<string[]> {
  return (await rows.query<{ id: string }>(kindStatement, [kind === 'member'])).map(({ id }) => id)
}

/** Problem: `input_invalid` with pointer `/role` if the role does not exist or has the other kind. */
export async function requireRoleFor(rows: Rows, kind: RoleKind, roleId: string): Promise<void> {
  const roles = await rolesFor(rows, kind)
  if (roles.includes(roleId)) return
  const detail = `must be one of: ${roles.join(', ')}`
  refuse('input_invalid', { detail: 'See `errors` for every invalid value.', errors: [{ pointer: '/role', detail }] })
}

/**
 * Grants permissions to a role or a plan, or revokes them, and audits each. Returns the changed permissions as
 * `resource:action`.
 * Problems: `last_administrator`; `input_invalid` for a permission that a plan or this kind of role cannot grant.
 */
export async function changeGrants(
  { database, acceptedIssuers }: Administration,
  { kind, id }: Holder,
  permissions: readonly Grant[],
  isGranted: boolean,
): Promise<string[]> {
  return database.transaction((rows) =>
    keepAdministrator(rows, acceptedIssuers, async () => {
      if (isGranted) await requireGrantable(rows, { kind, id }, permissions)
      const changed: string[] = []
      for (const { resource, action } of permissions) {
        const { statement, event } = isGranted ? of[kind].grant : of[kind].revoke
        if ((await rows.query(statement, [id, resource, action])).length === 0) continue
        changed.push(`${resource}:${action}`)
        await recordAudit(rows, { action: event, target: { kind, id }, details: { resource, action } })
      }
      return changed
    }),
  )
}

async function requireGrantable(rows: Rows, { kind, id }: Holder, permissions: readonly Grant[]): Promise<void> {
  if (kind === 'role' && (await rolesFor(rows, 'account')).includes(id)) return
  const refused = permissions.filter((grant) => needsRoleForAccounts(kind, grant))
  if (refused.length === 0) return
  const holder = kind === 'plan' ? 'a plan' : 'a role for members of organizations'
  const names = refused.map(({ resource, action }) => `${resource}:${action}`).join(', ')
  refuse('input_invalid', { detail: `${id} is ${holder}: only roles for accounts can grant ${names}.` })
}

interface NewRole {
  readonly id: string
  readonly name: string
  readonly forMembers: boolean
}

/** Creates a role that grants nothing yet, and audits it. Returns false if the id is taken. */
export async function createRole(database: Database, { id, name, forMembers }: NewRole): Promise<boolean> {
  return database.transaction(async (rows) => {
    const made = await rows.query(createStatement, [id, name, forMembers])
    if (made.length > 0) await recordAudit(rows, { action: 'role.created', target: { kind: 'role', id } })
    return made.length > 0
  })
}

/**
 * Sets whether the grants of a role count only in sessions with a second factor, from the next request on. Returns
 * false if nothing changed.
 */
export async function setRoleMfa(database: Database, id: string, requiresMfa: boolean): Promise<boolean> {
  return database.transaction(async (rows) => {
    const changed = await rows.query(mfaStatement, [id, requiresMfa])
    if (changed.length > 0)
      await recordAudit(rows, { action: 'role.mfa_changed', target: { kind: 'role', id }, details: { requiresMfa } })
    return changed.length > 0
  })
}

/** Deletes a role and audits it. `held`: an account, a member or an invitation has the role, and nothing changes. */
export async function removeRole(database: Database, id: string): Promise<'removed' | 'held' | 'unknown'> {
  return database.transaction(async (rows) => {
    await rows.query(lockRoleStatement, [id])
    const [role] = await rows.query<{ held: boolean }>(heldStatement, [id])
    if (!role) return 'unknown'
    if (role.held) return 'held'
    await rows.query(removeStatement, [id])
    await recordAudit(rows, { action: 'role.removed', target: { kind: 'role', id } })
    return 'removed'
  })
}

/**
 * Sets the role of an account for the command line, and audits it. Returns the previous role. Problem:
 * `last_administrator`.
 */
export async function setAccountRole(
  { database, acceptedIssuers }: Administration,
  accountId: string,
  roleId: string,
): Promise<string> {
  return database.transaction((rows) =>
    keepAdministrator(rows, acceptedIssuers, async () => {
      const [row] = await rows.query<{ before: string }>(setRoleStatement, [accountId, roleId])
      const before = row?.before ?? roleId
      if (before !== roleId)
        await recordAudit(rows, {
          action: 'account.role_changed',
          target: { kind: 'account', id: accountId },
          details: { from: before, to: roleId },
        })
      return before
    }),
  )
}

const of = {
  role: {
    find: { name: 'role_find', text: 'select from role where id = $1' },
    grant: {
      event: 'role.granted',
      statement: {
        name: 'role_grant',
        text: 'insert into role_grant (role_id, resource, action) values ($1, $2, $3) on conflict do nothing returning role_id',
      },
    },
    revoke: {
      event: 'role.revoked',
      statement: {
        name: 'role_revoke',
        text: 'delete from role_grant where role_id = $1 and resource = $2 and action = $3 returning role_id',
      },
    },
  },
  plan: {
    find: { name: 'plan_find', text: 'select from plan where id = $1' },
    grant: {
      event: 'plan.granted',
      statement: {
        name: 'plan_grant',
        text: 'insert into plan_grant (plan_id, resource, action) values ($1, $2, $3) on conflict do nothing returning plan_id',
      },
    },
    revoke: {
      event: 'plan.revoked',
      statement: {
        name: 'plan_revoke',
        text: 'delete from plan_grant where plan_id = $1 and resource = $2 and action = $3 returning plan_id',
      },
    },
  },
} as const

const listStatement = {
  name: 'grants_all',
  text: `
select line
from (
select 1 as n, r.id, json_build_object(
         'kind', 'role', 'id', r.id, 'name', r.name, 'forMembers', r.for_members, 'requiresMfa', r.requires_mfa,
         'holders', (select count(*) from account a where a.role_id = r.id)
                    + (select count(*) from membership m where m.role_id = r.id),
         'grants', array(select resource || ':' || action from role_grant g where g.role_id = r.id order by 1))::text as line
from role r
union all
select 2, p.id, json_build_object(
         'kind', 'plan', 'id', p.id, 'name', p.name,
         'holders', (select count(*) from subscription s
                     where s.price_ids && array(select price_id from plan_price pp where pp.plan_id = p.id)),
         'grants', array(select resource || ':' || action from plan_grant g where g.plan_id = p.id order by 1))::text
from plan p
) both_kinds
order by n, id`,
}

const rolesStatement = {
  name: 'roles_json',
  text: `
select json_build_object('roles', coalesce(json_agg(json_build_object(
         'id', r.id, 'name', r.name, 'forMembers', r.for_members, 'requiresMfa', r.requires_mfa,
         'permissions', ${permissionsSql('role_grant g where g.role_id = r.id')}) order by r.id), '[]'))::text as body
from role r`,
}

const kindStatement = { name: 'roles_for', text: 'select id from role where for_members = $1 order by id limit 1000' }

const createStatement = {
  name: 'role_create',
  text: 'insert into role (id, name, for_members) values ($1, $2, $3) on conflict (id) do nothing returning id',
}

/** Waits for transactions that assign the role. Only the next statement sees their changes. */
const lockRoleStatement = { name: 'role_lock', text: 'select from role where id = $1 for update' }

const heldStatement = {
  name: 'role_held',
  text: `
select exists (select from account where role_id = r.id) or exists (select from membership where role_id = r.id)
       or exists (select from invitation where role_id = r.id) as held
from role r
where r.id = $1`,
}

const mfaStatement = {
  name: 'role_mfa',
  text: 'update role set requires_mfa = $2 where id = $1 and requires_mfa <> $2 returning id',
}

const removeStatement = { name: 'role_remove', text: 'delete from role where id = $1' }

const setRoleStatement = {
  name: 'account_role_set',
  text: `
update account a set role_id = $2
from (select id, role_id from account where id = $1 for update) b
where a.id = b.id
returning b.role_id as before`,
}
