import { randomBytes } from 'node:crypto'
import { authorize } from '../identity/authorize.ts'
import { requireRoleFor } from '../identity/grants.ts'
import { opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { missingGrants, requireHolds } from '../identity/require-holds.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import {
  type OwnOrganization,
  orgsAcceptContract,
  orgsInvitationRevokeContract,
  orgsInviteContract,
} from './contract.ts'
import { changeOrganization, lockOrganization, type MembershipRequest } from './membership.ts'

interface InvitationOptions {
  readonly roleId: string
  readonly expiresInHours: number
}

/** As in the contract. `token` is shown only once: the database stores its hash. */
interface CreatedInvitation {
  readonly id: string
  readonly role: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly token: string
}

/**
 * Maximum number of open invitations per organization. One member may create half of them, so that others can still
 * invite.
 */
const openInvitationsMax = 100
const openInvitationsOfMemberMax = openInvitationsMax / 2

/**
 * Problems: those of `authorize`, `permission_exceeds`, `input_invalid` if the role is not for members,
 * `invitations_full`.
 */
export function createInvitation(
  database: Database,
  request: MembershipRequest,
  wanted: InvitationOptions,
): Promise<CreatedInvitation> {
  return changeOrganization(database, request, orgsInviteContract.permission, async (rows, actorId) => {
    await requireRoleFor(rows, 'member', wanted.roleId)
    await requireHolds(rows, actorId, [wanted.roleId], { organizationId: request.organizationId })
    return insertInvitation(rows, request.organizationId, wanted, { actorId, ...request.origin })
  })
}

/** The same for the command line. Problem: `invitations_full`. */
export function createInvitationAsOperator(
  database: Database,
  organizationId: string,
  wanted: InvitationOptions,
): Promise<CreatedInvitation> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    return insertInvitation(rows, organizationId, wanted, {})
  })
}

/** Open invitations as JSON text, oldest first. */
export async function readInvitations(rows: Rows, organizationId: string): Promise<string> {
  const [row] = await rows.query<{ body: string }>(openStatement, [organizationId])
  return row?.body ?? '{"invitations":[]}'
}

/** Problems: those of `authorize`, `permission_exceeds`, `invitation_unknown`. */
export function revokeInvitation(database: Database, request: MembershipRequest, invitationId: string): Promise<void> {
  const { organizationId, origin } = request
  return changeOrganization(database, request, orgsInvitationRevokeContract.permission, async (rows, actorId) => {
    const [revoked] = await rows.query<{ role: string }>(revokeStatement, [organizationId, invitationId])
    await requireHolds(rows, actorId, [(revoked ?? refuse('invitation_unknown')).role], { organizationId })
    const target = { kind: 'invitation', id: invitationId } as const
    await recordAudit(rows, {
      action: 'invitation.revoked',
      actorId,
      target,
      ...origin,
      details: { organization: organizationId },
    })
  })
}

/**
 * Accepts an invitation by its token, which works once. The same problem is thrown for a token that is unknown, used or
 * expired, or whose creator may no longer assign its role.
 * Problems: those of `authorize`, `invitation_unknown`, `member_already`.
 */
export function acceptInvitation(
  database: Database,
  { caller, origin }: { readonly caller: UserCaller; readonly origin: AuditOrigin },
  token: string,
): Promise<OwnOrganization> {
  return database.transaction(async (rows) => {
    const accountId = await authorize(rows, caller, orgsAcceptContract.permission)
    const [accepted] = await rows.query<AcceptedInvitation>(acceptStatement, [opaqueTokenHash(token)])
    const { invitation_id, created_by, ...organization } = accepted ?? refuse('invitation_unknown')
    const scope = { organizationId: organization.id }
    if (created_by !== null && (await missingGrants(rows, created_by, [organization.role], scope)))
      refuse('invitation_unknown')
    const joined = await rows.query(joinStatement, [organization.id, accountId, organization.role])
    // Rolls back, so that another account can still use the token.
    if (joined.length === 0) refuse('member_already')
    await recordAudit(rows, {
      action: 'invitation.accepted',
      actorId: accountId,
      target: { kind: 'invitation', id: invitation_id },
      ...origin,
      details: { organization: organization.id, role: organization.role },
    })
    return organization
  })
}

async function insertInvitation(
  rows: Rows,
  organizationId: string,
  { roleId, expiresInHours }: InvitationOptions,
  { actorId, ...origin }: AuditOrigin & { readonly actorId?: string },
): Promise<CreatedInvitation> {
  const values = [organizationId, actorId ?? null]
  const [{ open, own } = { open: 0, own: 0 }] = await rows.query<OpenInvitations>(deleteExpiredStatement, values)
  if (open >= openInvitationsMax || (actorId !== undefined && own >= openInvitationsOfMemberMax))
    refuse('invitations_full', {
      detail: `At most ${openInvitationsMax} invitations can be open, and ${openInvitationsOfMemberMax} of one member. Revoke one first.`,
    })
  const token = randomBytes(32).toString('base64url')
  const row = [organizationId, roleId, opaqueTokenHash(token), actorId ?? null, expiresInHours]
  const [created] = await rows.query<Omit<CreatedInvitation, 'token'>>(insertStatement, row)
  if (!created) throw new Error('The insert into invitation returned no row.')
  await recordAudit(rows, {
    action: 'invitation.created',
    actorId,
    target: { kind: 'invitation', id: created.id },
    ...origin,
    details: { organization: organizationId, role: roleId },
  })
  return { ...created, token }
}

interface OpenInvitations {
  readonly open: number
  /** Number of open invitations created by the inviting member. */
  readonly own: number
}

interface AcceptedInvitation extends OwnOrganization {
  readonly invitation_id: string
  /** Null if created on the command line. */
  readonly created_by: string | null
}

const deleteExpiredStatement = {
  name: 'invitations_delete_expired',
  text: `
with expired as (delete from invitation where organization_id = $1 and expires_at <= now())
select count(*)::int as open, (count(*) filter (where created_by = $2::uuid))::int as own
from invitation where organization_id = $1 and expires_at > now()`,
}

const insertStatement = {
  name: 'invitation_insert',
  text: `
insert into invitation (organization_id, role_id, token_hash, created_by, expires_at)
values ($1, $2, $3, $4, now() + make_interval(hours => $5))
returning id, role_id as role, ${utcText('created_at')} as "createdAt", ${utcText('expires_at')} as "expiresAt"`,
}

const openStatement = {
  name: 'invitations_open',
  text: `
select json_build_object('invitations', coalesce(json_agg(json_build_object(
         'id', id, 'role', role_id, 'createdAt', ${utcText('created_at')}, 'expiresAt', ${utcText('expires_at')}) order by id), '[]'))::text as body
from invitation
where organization_id = $1 and expires_at > now()`,
}

const revokeStatement = {
  name: 'invitation_revoke',
  text: 'delete from invitation where organization_id = $1 and id = $2 and expires_at > now() returning role_id as role',
}

/** Of concurrent requests with the same token, one deletes the row; the others wait for its lock and find no row. */
const acceptStatement = {
  name: 'invitation_accept',
  text: `
delete from invitation i
using organization o
where i.token_hash = $1 and i.expires_at > now() and o.id = i.organization_id
  and (i.created_by is null or exists (
    select from membership m
    join role_grant g on g.role_id = m.role_id and g.resource = 'organization' and g.action = 'manage'
    join account a on a.id = m.account_id and a.disabled_at is null
    where m.organization_id = i.organization_id and m.account_id = i.created_by))
returning i.id as invitation_id, i.created_by, o.id, o.name, i.role_id as role`,
}

const joinStatement = {
  name: 'invitation_join',
  text: `
insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)
on conflict (organization_id, account_id) do nothing
returning account_id`,
}
