import { deleteOrganizations, hasNotEnded } from '../identity/delete-organizations.ts'
import { permissionsOf } from '../identity/grants.ts'
import { requireHolds } from '../identity/require-holds.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'
import { type Organization, organizationContracts } from './contract.ts'
import { changeOrganization, lockOrganization, type MembershipRequest } from './membership.ts'

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

/** Problems: those of `authorize`. */
export function renameOrganization(
  database: Database,
  request: MembershipRequest,
  name: string,
): Promise<Organization> {
  const { organizationId, origin } = request
  return changeOrganization(database, request, organizationContracts.rename.permission, async (rows, actorId) => {
    await rename(rows, { organizationId, name }, { actorId, ...origin })
    return readOrganization(rows, organizationId, actorId)
  })
}

/** The same for the command line. */
export function renameOrganizationAsOperator(database: Database, organizationId: string, name: string): Promise<void> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    await rename(rows, { organizationId, name }, {})
  })
}

interface DeletionOptions {
  /** Delete although a subscription has not ended. */
  readonly ignoreSubscriptions: boolean
}

/**
 * Deletes the organization for good. Its members must have no role that grants more than the caller's.
 * Problems: those of `authorize`, `permission_exceeds`, `subscription_active`. Source: docs/decisions/organizations.md.
 */
export function deleteOrganization(
  database: Database,
  request: MembershipRequest,
  options: DeletionOptions,
): Promise<void> {
  const { organizationId, origin } = request
  return changeOrganization(database, request, organizationContracts.remove.permission, async (rows, actorId) => {
    const roles = await rows.query<{ role_id: string }>(memberRolesStatement, [organizationId])
    const roleIds = roles.map(({ role_id }) => role_id)
    await requireHolds(rows, actorId, roleIds, { organizationId })
    await remove(rows, organizationId, options, { actorId, ...origin })
  })
}

/** The same for the command line. Problems: `organization_unknown`, `subscription_active`. */
export function deleteOrganizationAsOperator(
  database: Database,
  organizationId: string,
  options: DeletionOptions,
): Promise<void> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    await remove(rows, organizationId, options, {})
  })
}

type Actor = AuditOrigin & { readonly actorId?: string }

async function rename(
  rows: Rows,
  { organizationId, name }: { readonly organizationId: string; readonly name: string },
  actor: Actor,
): Promise<void> {
  const [renamed] = await rows.query<{ from: string }>(renameStatement, [organizationId, name])
  if (!renamed) return
  const target = { kind: 'organization', id: organizationId } as const
  await recordAudit(rows, {
    action: 'organization.renamed',
    ...actor,
    target,
    details: { from: renamed.from, to: name },
  })
}

async function remove(
  rows: Rows,
  organizationId: string,
  { ignoreSubscriptions }: DeletionOptions,
  actor: Actor,
): Promise<void> {
  const [found] = await rows.query<DeletedOrganization>(deletedStatement, [organizationId])
  const { subscriptions, ...details } = found ?? refuse('organization_unknown')
  if (subscriptions.length > 0 && !ignoreSubscriptions)
    refuse('subscription_active', {
      detail: `Cancel these subscriptions first, or confirm that the payment processor keeps charging for them: ${subscriptions.join(', ')}.`,
    })
  await deleteOrganizations(rows, [organizationId])
  await recordAudit(rows, {
    action: 'organization.deleted',
    ...actor,
    target: { kind: 'organization', id: organizationId },
    details: { ...details, ...(subscriptions.length > 0 && { subscriptions }) },
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
         'id', r.id, 'name', r.name, 'permissions', ${permissionsOf('role_grant g where g.role_id = r.id')})
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
