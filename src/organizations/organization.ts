import { deleteOrganizations, hasNotEnded } from '../identity/delete-organizations.ts'
import { permissionsSql } from '../identity/grants.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'
import { type Organization, organizationContracts } from './contract.ts'
import { changeOrganization, type OrganizationChange } from './membership.ts'

/** `accountId`: the member whose role is included. Problem: `organization_unknown`. */
export async function readOrganization(
  rows: Rows,
  organizationId: string,
  accountId: string | undefined,
): Promise<Organization> {
  const values = [organizationId, accountId ?? null]
  const [row] = await rows.query<{ organization: Organization }>(readStatement, values)
  return (row ?? refuse('organization_unknown')).organization
}

/** Roles that the member can assign, as JSON text. */
export async function readAssignableRoles(rows: Rows, organizationId: string, accountId: string): Promise<string> {
  const [row] = await rows.query<{ body: string }>(rolesStatement, [organizationId, accountId])
  return row?.body ?? '{"roles":[]}'
}

/** Problems: those of `authorize`, `organization_unknown`. */
export function renameOrganization(
  database: Database,
  change: OrganizationChange,
  name: string,
): Promise<Organization> {
  const { organizationId: id } = change
  return changeOrganization(database, change, organizationContracts.rename.permission, async (rows, actor) => {
    const [renamed] = await rows.query<{ from: string }>(renameStatement, [id, name])
    const target = { kind: 'organization', id } as const
    if (renamed) {
      const details = { from: renamed.from, to: name }
      await recordAudit(rows, { action: 'organization.renamed', target, ...actor.origin, details })
    }
    return readOrganization(rows, id, actor.id)
  })
}

export interface Security {
  readonly requiresMfa: boolean
}

/** Problem: `organization_unknown`. */
export async function readSecurity(rows: Rows, organizationId: string): Promise<Security> {
  const [security] = await rows.query<Security>(securityStatement, [organizationId])
  return security ?? refuse('organization_unknown')
}

/** Sets whether the organization requires a second factor. Idempotent. Problems: those of `authorize`. */
export function changeSecurity(database: Database, change: OrganizationChange, security: Security): Promise<Security> {
  const { organizationId: id } = change
  return changeOrganization(
    database,
    change,
    organizationContracts.changeSecurity.permission,
    async (rows, { origin }) => {
      const details = { requiresMfa: security.requiresMfa }
      const changed = await rows.query(changeSecurityStatement, [id, details.requiresMfa])
      const target = { kind: 'organization', id } as const
      if (changed.length > 0)
        await recordAudit(rows, { action: 'organization.mfa_changed', target, ...origin, details })
      return details
    },
  )
}

/**
 * Deletes the organization for good, also if a subscription has not ended and `ignoreSubscriptions` is set. Its members
 * must have no role that grants more than the caller's.
 * Problems: those of `authorize`, `permission_exceeds`, `organization_unknown`, `subscription_active`. Source:
 * docs/decisions/organizations.md.
 */
export function deleteOrganization(
  database: Database,
  change: OrganizationChange,
  { ignoreSubscriptions }: { readonly ignoreSubscriptions: boolean },
): Promise<void> {
  const { organizationId: id } = change
  return changeOrganization(database, change, organizationContracts.remove.permission, async (rows, actor) => {
    const roles = await rows.query<{ role_id: string }>(memberRolesStatement, [id])
    await actor.requireHolds(roles.map(({ role_id }) => role_id))
    const [found] = await rows.query<DeletedOrganization>(deletedStatement, [id])
    const { subscriptions, ...deleted } = found ?? refuse('organization_unknown')
    if (subscriptions.length > 0 && !ignoreSubscriptions)
      refuse('subscription_active', {
        detail: `Cancel these subscriptions first, or confirm that the payment processor keeps charging for them: ${subscriptions.join(', ')}.`,
      })
    await deleteOrganizations(rows, [id])
    const details = { ...deleted, ...(subscriptions.length > 0 && { subscriptions }) }
    const target = { kind: 'organization', id } as const
    await recordAudit(rows, { action: 'organization.deleted', target, ...actor.origin, details })
  })
}

/** What is deleted, for the audit log. */
interface DeletedOrganization {
  readonly name: string
  readonly members: number
  readonly serviceKeys: number
  /** IDs of subscriptions that have not ended. At most 20. */
  readonly subscriptions: readonly string[]
}

const readStatement = {
  name: 'organization_read',
  text: `
select json_strip_nulls(json_build_object(
         'id', o.id, 'name', o.name, 'role', m.role_id, 'requiresMfa', o.requires_mfa,
         'createdAt', ${utcText('o.created_at')})) as organization
from organization o
left join membership m on m.organization_id = o.id and m.account_id = $2::uuid
where o.id = $1`,
}

/** $1 organization, $2 account. */
const rolesStatement = {
  name: 'organization_assignable_roles',
  text: `
with held as (
  select g.resource, g.action
  from membership m join role_grant g using (role_id)
  where m.organization_id = $1 and m.account_id = $2
)
select json_build_object('roles', coalesce(json_agg(json_build_object(
         'id', r.id, 'name', r.name, 'permissions', ${permissionsSql('role_grant g where g.role_id = r.id')})
         order by r.id), '[]'))::text as body
from role r
where r.for_members and not exists (
  select g.resource, g.action from role_grant g where g.role_id = r.id except select * from held)`,
}

/** Changes nothing if the name is the same. */
const renameStatement = {
  name: 'organization_rename',
  text: `
update organization o set name = $2
from (select id, name from organization where id = $1) b
where o.id = b.id and b.name <> $2
returning b.name as "from"`,
}

const memberRolesStatement = {
  name: 'organization_member_roles',
  text: 'select distinct role_id from membership where organization_id = $1',
}

const deletedStatement = {
  name: 'organization_deleted',
  text: `
select o.name,
       (select count(*)::int from membership m where m.organization_id = o.id) as members,
       (select count(*)::int from service_key k where k.organization_id = o.id) as "serviceKeys",
       array(select s.id from customer c join subscription s on s.customer_id = c.id
             where c.organization_id = o.id and ${hasNotEnded} order by s.id limit 20) as subscriptions
from organization o
where o.id = $1`,
}

const securityStatement = {
  name: 'organization_security',
  text: 'select requires_mfa as "requiresMfa" from organization where id = $1',
}

const changeSecurityStatement = {
  name: 'organization_security_change',
  text: 'update organization set requires_mfa = $2 where id = $1 and requires_mfa <> $2 returning id',
}
