import { type AccountState, callerRead, callerValues, requireAccount } from '../identity/account.ts'
import { requireRoleFor } from '../identity/grants.ts'
import { requireHolds, requireRoleChange } from '../identity/require-holds.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { type OwnOrganization, organizationContracts } from './contract.ts'
import { changeOrganization, lockOrganization, type MembershipRequest, requireManager } from './membership.ts'

/**
 * The caller's organizations as JSON text, in the order of joining. Problems: those of `requireAccount`,
 * `act_as_ended`.
 */
export async function readOwnOrganizations(rows: Rows, caller: UserCaller | ActingCaller): Promise<string> {
  if (caller.kind === 'acting') {
    const [found] = await rows.query<{ body: string }>(ofAccountStatement, [caller.accountId])
    return (found ?? refuse('act_as_ended')).body
  }
  const values = callerValues(caller)
  const read = async () => (await rows.query<AccountState & { body: string }>(ownStatement, values))[0]
  return (await requireAccount(rows, caller, read)).body
}

/** Creates an organization that the account owns. */
export function createOwnOrganization(
  database: Database,
  { accountId, origin }: { readonly accountId: string; readonly origin: AuditOrigin },
  name: string,
): Promise<OwnOrganization> {
  return database.transaction(async (rows) => {
    const [created] = await rows.query<OwnOrganization>(createStatement, [name, accountId])
    if (!created) throw new Error('The insert into organization returned no row.')
    await recordAudit(rows, {
      action: 'organization.created',
      actorId: accountId,
      target: { kind: 'organization', id: created.id },
      ...origin,
    })
    return created
  })
}

/** A page of members as JSON text, and the account id after which the next page starts. */
export async function readMembers(
  rows: Rows,
  organizationId: string,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ readonly body: string; readonly next?: string }> {
  const values = [organizationId, after ?? firstId, limit]
  const [row] = await rows.query<{ body: string; next: string | null }>(membersStatement, values)
  return { body: row?.body ?? '{"members":[]}', ...(row?.next && { next: row.next }) }
}

/**
 * Problems: those of `authorize` and `requireRoleChange`, `member_unknown`, `last_owner`, `input_invalid` if the role
 * is not for members.
 */
export function changeMemberRole(
  database: Database,
  request: MembershipRequest,
  member: { readonly accountId: string; readonly roleId: string },
): Promise<void> {
  return changeOrganization(
    database,
    request,
    organizationContracts.changeMemberRole.permission,
    async (rows, actorId) => {
      await requireRoleFor(rows, 'member', member.roleId)
      await setRole(rows, request, member, actorId)
    },
  )
}

/**
 * Makes another member the owner. Problems: those of `authorize` and `requireRoleChange`, `member_unknown`,
 * `last_owner`, `self_change` if the member is the caller.
 */
export function transferOrganization(database: Database, request: MembershipRequest, accountId: string): Promise<void> {
  return changeOrganization(database, request, organizationContracts.transfer.permission, async (rows, actorId) => {
    if (accountId === actorId) refuse('self_change')
    const roleId = (await roleOf(rows, request.organizationId, actorId)) ?? refuse('member_unknown')
    // In this order: otherwise the caller would assign a role that they no longer have.
    await setRole(rows, request, { accountId, roleId }, actorId)
    await setRole(rows, request, { accountId: actorId, roleId: 'member' }, actorId)
  })
}

/** Problems: those of `authorize`, `permission_exceeds`, `member_unknown`, `last_owner`. */
export function removeMember(database: Database, request: MembershipRequest, accountId: string): Promise<void> {
  return changeOrganization(database, request, organizationContracts.removeMember.permission, (rows, actorId) =>
    endMembership(rows, request, accountId, actorId),
  )
}

/** Problems: those of `authorize`, `last_owner`. */
export function leaveOrganization(database: Database, request: MembershipRequest): Promise<void> {
  return changeOrganization(database, request, organizationContracts.leave.permission, (rows, actorId) =>
    endMembership(rows, request, actorId, actorId),
  )
}

type OrganizationChange = Pick<MembershipRequest, 'organizationId' | 'origin'>

/** The same for the command line, without a permission check. Problems: `member_unknown`, `last_owner`. */
export function changeMemberRoleAsOperator(
  database: Database,
  organizationId: string,
  member: { readonly accountId: string; readonly roleId: string },
): Promise<void> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    await setRole(rows, { organizationId, origin: {} }, member, undefined)
  })
}

/** The same for the command line. Problems: `member_unknown`, `last_owner`. */
export function removeMemberAsOperator(database: Database, organizationId: string, accountId: string): Promise<void> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    await endMembership(rows, { organizationId, origin: {} }, accountId, undefined)
  })
}

async function setRole(
  rows: Rows,
  { organizationId, origin }: OrganizationChange,
  { accountId, roleId }: { readonly accountId: string; readonly roleId: string },
  actorId: string | undefined,
): Promise<void> {
  const before = (await roleOf(rows, organizationId, accountId)) ?? refuse('member_unknown')
  if (before === roleId) return
  if (actorId !== undefined) {
    const change = { callerId: actorId, accountId, from: before, to: roleId }
    await requireRoleChange(rows, change, { organizationId })
  }
  await rows.query(setRoleStatement, [organizationId, accountId, roleId])
  await requireManager(rows, organizationId, before)
  await recordAudit(rows, {
    action: 'membership.role_changed',
    actorId,
    target: { kind: 'account', id: accountId },
    ...origin,
    details: { organization: organizationId, from: before, to: roleId },
  })
}

async function endMembership(
  rows: Rows,
  { organizationId, origin }: OrganizationChange,
  accountId: string,
  actorId: string | undefined,
): Promise<void> {
  const before = (await roleOf(rows, organizationId, accountId)) ?? refuse('member_unknown')
  if (actorId !== undefined) await requireHolds(rows, actorId, [before], { organizationId })
  await rows.query(endStatement, [organizationId, accountId])
  await requireManager(rows, organizationId, before)
  await recordAudit(rows, {
    action: 'membership.removed',
    actorId,
    target: { kind: 'account', id: accountId },
    ...origin,
    details: { organization: organizationId },
  })
}

async function roleOf(rows: Rows, organizationId: string, accountId: string): Promise<string | undefined> {
  const [row] = await rows.query<{ role_id: string }>(roleStatement, [organizationId, accountId])
  return row?.role_id
}

const firstId = '00000000-0000-0000-0000-000000000000'

const organizationsOf = (accountId: string) => `
       json_build_object('orgs', coalesce((
         select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role_id)
                         order by m.joined_at, m.organization_id)
         from membership m join organization o on o.id = m.organization_id
         where m.account_id = ${accountId}), '[]'))::text`

const ownStatement = { name: 'organizations_own', text: callerRead(`, ${organizationsOf('a.id')} as body`) }

const ofAccountStatement = {
  name: 'organizations_of_account',
  text: `select ${organizationsOf('a.id')} as body from account a where a.id = $1`,
}

const createStatement = {
  name: 'organization_create_owned',
  text: `
with created as (
  insert into organization (name) values ($1) returning id, name
), ownership as (
  insert into membership (organization_id, account_id, role_id) select id, $2, 'owner' from created
)
select id, name, 'owner' as role from created`,
}

/**
 * $1 organization, $2 last account of the previous page, $3 page size. Reads one more row, which shows whether another
 * page follows.
 */
const membersStatement = {
  name: 'members',
  text: `
with found as (
  select m.account_id, m.role_id, m.joined_at, a.email, a.display_name, row_number() over (order by m.account_id) as n
  from membership m join account a on a.id = m.account_id and a.erases_at is null
  where m.organization_id = $1 and m.account_id > $2
  order by m.account_id
  limit $3::int + 1
)
select json_build_object('members', coalesce(json_agg(json_strip_nulls(json_build_object(
         'id', f.account_id, 'email', f.email, 'displayName', f.display_name, 'role', f.role_id,
         'joinedAt', ${utcText('f.joined_at')})) order by f.n), '[]'))::text as body,
       (select l.account_id from found l where l.n = $3 and exists (select from found where n > $3)) as next
from found f
where f.n <= $3`,
}

const roleStatement = {
  name: 'member_role',
  text: 'select role_id from membership where organization_id = $1 and account_id = $2',
}

const setRoleStatement = {
  name: 'member_role_set',
  text: 'update membership set role_id = $3 where organization_id = $1 and account_id = $2',
}

const endStatement = {
  name: 'member_end',
  text: 'delete from membership where organization_id = $1 and account_id = $2',
}
