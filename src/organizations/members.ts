import { type AccountState, callerRead, callerValues, requireAccount } from '../identity/account.ts'
import { requireRoleFor } from '../identity/grants.ts'
import { requireRoleChange } from '../identity/require-holds.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { type OwnOrganization, organizationContracts } from './contract.ts'
import {
  type Actor,
  addMembership,
  changeOrganization,
  type NewMembership,
  type OrganizationChange,
  requireManager,
} from './membership.ts'

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

/** Adds a member and audits it. Returns false if the account is already a member. */
export async function addMember(database: Database, member: NewMembership): Promise<boolean> {
  const { organizationId, accountId, roleId } = member
  return database.transaction(async (rows) => {
    if (!(await addMembership(rows, member))) return false
    const details = { organization: organizationId, role: roleId }
    await recordAudit(rows, { action: 'membership.added', target: { kind: 'account', id: accountId }, details })
    return true
  })
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

interface MemberRole {
  readonly accountId: string
  readonly roleId: string
}

/**
 * Problems: those of `authorize` and `requireRoleChange`, `member_unknown`, `last_owner`, `input_invalid` if the role
 * is not for members.
 */
export function changeMemberRole(database: Database, change: OrganizationChange, member: MemberRole): Promise<void> {
  const { permission } = organizationContracts.changeMemberRole
  return changeOrganization(database, change, permission, async (rows, actor) => {
    await requireRoleFor(rows, 'member', member.roleId)
    await setRole(rows, change, actor, member)
  })
}

/**
 * Makes another member the owner. Problems: those of `authorize` and `requireRoleChange`, `member_unknown`,
 * `last_owner`, `self_change` if the member is the caller.
 */
export function transferOrganization(database: Database, change: OrganizationChange, accountId: string): Promise<void> {
  const { permission } = organizationContracts.transfer
  return changeOrganization(database, change, permission, async (rows, actor) => {
    const ownerId = memberOf(actor)
    if (accountId === ownerId) refuse('self_change')
    const roleId = await roleOf(rows, change.organizationId, ownerId)
    // In this order: otherwise the caller would assign a role that they no longer have.
    await setRole(rows, change, actor, { accountId, roleId })
    await setRole(rows, change, actor, { accountId: ownerId, roleId: 'member' })
  })
}

/** Problems: those of `authorize`, `permission_exceeds`, `member_unknown`, `last_owner`. */
export function removeMember(database: Database, change: OrganizationChange, accountId: string): Promise<void> {
  return changeOrganization(database, change, organizationContracts.removeMember.permission, (rows, actor) =>
    endMembership(rows, change, actor, accountId),
  )
}

/** Problems: those of `authorize`, `last_owner`. */
export function leaveOrganization(database: Database, change: OrganizationChange): Promise<void> {
  return changeOrganization(database, change, organizationContracts.leave.permission, (rows, actor) =>
    endMembership(rows, change, actor, memberOf(actor)),
  )
}

/** An operator is no member. */
function memberOf({ id }: Actor): string {
  return id ?? refuse('member_unknown')
}

async function setRole(
  rows: Rows,
  { organizationId }: OrganizationChange,
  { id: callerId, origin }: Actor,
  { accountId, roleId }: MemberRole,
): Promise<void> {
  const before = await roleOf(rows, organizationId, accountId)
  if (before === roleId) return
  if (callerId !== undefined)
    await requireRoleChange(rows, { callerId, accountId, from: before, to: roleId }, { organizationId })
  await rows.query(setRoleStatement, [organizationId, accountId, roleId])
  await requireManager(rows, organizationId, before)
  await recordAudit(rows, {
    action: 'membership.role_changed',
    target: { kind: 'account', id: accountId },
    ...origin,
    details: { organization: organizationId, from: before, to: roleId },
  })
}

async function endMembership(
  rows: Rows,
  { organizationId }: OrganizationChange,
  { origin, requireHolds }: Actor,
  accountId: string,
): Promise<void> {
  const before = await roleOf(rows, organizationId, accountId)
  await requireHolds([before])
  await rows.query(endStatement, [organizationId, accountId])
  await requireManager(rows, organizationId, before)
  const details = { organization: organizationId }
  await recordAudit(rows, {
    action: 'membership.removed',
    target: { kind: 'account', id: accountId },
    ...origin,
    details,
  })
}

/** Problem: `member_unknown`. */
async function roleOf(rows: Rows, organizationId: string, accountId: string): Promise<string> {
  const [row] = await rows.query<{ role_id: string }>(roleStatement, [organizationId, accountId])
  return (row ?? refuse('member_unknown')).role_id
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
