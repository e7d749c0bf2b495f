import { randomBytes } from 'node:crypto'
import { type AccountState, callerTables, callerValues, requireAccount } from '../identity/account.ts'
import type { Caller } from '../identity/caller.ts'
import {
  changeOrganization,
  lockOrganization,
  type MembershipRequest,
  requireMembership,
} from '../identity/membership.ts'
import { opaqueTokenHash } from '../identity/opaque-tokens.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'
import type { OwnOrganization } from './contract.ts'
import { requireMemberRole } from './members.ts'

export interface NewInvitation {
  readonly roleId: string
  readonly expiresInHours: number
}

/** As the contract has it. `token` is in nobody's hands but the caller's from here on: only its hash is kept. */
export interface MadeInvitation {
  readonly id: string
  readonly role: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly token: string
}

/** Bounds what one organisation can fill the table with. */
const openInvitationsMax = 100

/** Problems: those of `requireMembership`, `input_invalid` for a role that is not for members, `invitations_full`. */
export function invite(database: Database, request: MembershipRequest, wanted: NewInvitation): Promise<MadeInvitation> {
  return changeOrganization(database, request, 'manage', async (rows, actorId) => {
    await requireMemberRole(rows, wanted.roleId)
    return makeInvitation(rows, request.organizationId, wanted, { actorId, ...request.origin })
  })
}

/** The same for an operator at the machine. Problem: `invitations_full`. */
export function inviteAsOperator(
  database: Database,
  organizationId: string,
  wanted: NewInvitation,
): Promise<MadeInvitation> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    return makeInvitation(rows, organizationId, wanted, {})
  })
}

/** Open invitations as JSON text, oldest first. Problems: those of `requireMembership`. */
export async function readInvitations(rows: Rows, { caller, organizationId }: MembershipRequest): Promise<string> {
  await requireMembership(rows, caller, organizationId, 'manage')
  const [row] = await rows.query<{ body: string }>(openStatement, [organizationId])
  return row?.body ?? '{"invitations":[]}'
}

/** Problems: those of `requireMembership`, `invitation_unknown`. */
export function revokeInvitation(database: Database, request: MembershipRequest, invitationId: string): Promise<void> {
  const { organizationId, origin } = request
  return changeOrganization(database, request, 'manage', async (rows, actorId) => {
    const revoked = await rows.query(revokeStatement, [organizationId, invitationId])
    if (revoked.length === 0) refuse('invitation_unknown')
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
 * Makes the caller a member by the token of an invitation, which is used up by it. Whether it never was, was used, has expired, or
 * was made by somebody who may not invite any more: the answer is the same.
 * Problems: those of `requireAccount`, `invitation_unknown`, `member_already`.
 */
export function acceptInvitation(
  database: Database,
  { caller, origin }: { readonly caller: Caller; readonly origin: AuditOrigin },
  token: string,
): Promise<OwnOrganization> {
  return database.transaction(async (rows) => {
    const accountId = await admitCaller(rows, caller)
    const [spent] = await rows.query<SpentInvitation>(acceptStatement, [opaqueTokenHash(token)])
    const { invitation_id, ...organization } = spent ?? refuse('invitation_unknown')
    const joined = await rows.query(joinStatement, [organization.id, accountId, organization.role])
    // Rolls back, so that the token stays good for whoever it was meant for.
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

async function makeInvitation(
  rows: Rows,
  organizationId: string,
  { roleId, expiresInHours }: NewInvitation,
  { actorId, ...origin }: AuditOrigin & { readonly actorId?: string },
): Promise<MadeInvitation> {
  const [state] = await rows.query<{ open: number }>(sweepStatement, [organizationId])
  if ((state?.open ?? 0) >= openInvitationsMax)
    refuse('invitations_full', { detail: `At most ${openInvitationsMax} are open at a time. Take some back.` })
  const token = randomBytes(32).toString('base64url')
  const values = [organizationId, roleId, opaqueTokenHash(token), actorId ?? null, expiresInHours]
  const [made] = await rows.query<Omit<MadeInvitation, 'token'>>(makeStatement, values)
  if (!made) throw new Error('An invitation was inserted and not returned.')
  await recordAudit(rows, {
    action: 'invitation.created',
    actorId,
    target: { kind: 'invitation', id: made.id },
    ...origin,
    details: { organization: organizationId, role: roleId },
  })
  return { ...made, token }
}

async function admitCaller(rows: Rows, caller: Caller): Promise<string> {
  const values = callerValues(caller)
  const read = async () => (await rows.query<AccountState>(standingStatement, values))[0]
  return (await requireAccount(rows, caller, read)).account_id
}

interface SpentInvitation extends OwnOrganization {
  readonly invitation_id: string
}

const standingStatement = {
  name: 'standing',
  text: `with ${callerTables} select me.id as account_id, me.disabled, me.ended from me`,
}

const sweepStatement = {
  name: 'invitations_sweep',
  text: `
with gone as (delete from invitation where organization_id = $1 and expires_at <= now())
select count(*)::int as open from invitation where organization_id = $1 and expires_at > now()`,
}

const makeStatement = {
  name: 'invitation_make',
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
  text: 'delete from invitation where organization_id = $1 and id = $2 and expires_at > now() returning id',
}

/** Of many who show one token at once, one deletes the row; the others wait for it and find nothing. */
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
returning i.id as invitation_id, o.id, o.name, i.role_id as role`,
}

const joinStatement = {
  name: 'invitation_join',
  text: `
insert into membership (organization_id, account_id, role_id) values ($1, $2, $3)
on conflict (organization_id, account_id) do nothing
returning account_id`,
}
