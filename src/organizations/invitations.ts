import { randomBytes } from 'node:crypto'
import { requireRoleFor } from '../identity/grants.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { normalizeEmail } from '../platform/email.ts'
import type { Language } from '../platform/mail/kinds.ts'
import { refuse } from '../platform/problems.ts'
import { opaqueTokenHash } from '../platform/secret.ts'
import { invitationContracts, type NewInvitation } from './invitation-contract.ts'
import { findRecipient, type InvitationMailer, mailInvitation, type Recipient } from './invitation-mail.ts'
import { changeOrganization, type OrganizationChange } from './membership.ts'

interface SendingOptions {
  readonly expiresInHours: number
  readonly language?: Language | undefined
  /** Absent if the service sends no mail. */
  readonly mailer: InvitationMailer | undefined
}

interface InvitationOptions extends SendingOptions {
  readonly roleId: string
  /** Absent for a link. */
  readonly email?: string | undefined
}

/**
 * Maximum number of open or declined invitations per organization. One member may create half of them, so that others
 * can still invite.
 */
const invitationsMax = 100
const invitationsOfMemberMax = invitationsMax / 2

/**
 * Problems: those of `authorize`, `permission_exceeds`, `input_invalid` if the role is not for members or the email is
 * invalid, `member_already`, `invitation_open`, `invitations_full`.
 */
export function createInvitation(
  database: Database,
  change: OrganizationChange,
  { roleId, email: typed, ...options }: InvitationOptions,
): Promise<NewInvitation> {
  const { organizationId } = change
  return changeOrganization(database, change, invitationContracts.invite.permission, async (rows, actor) => {
    await requireRoleFor(rows, 'member', roleId)
    await actor.requireHolds([roleId])
    const email = typed === undefined ? null : normalizeEmail(typed)
    await requirePlace(rows, { organizationId, email, actorId: actor.id })
    const token = email === null ? newToken() : undefined
    const row = [organizationId, roleId, email, token?.hash ?? null, actor.id ?? null, options.expiresInHours]
    const [created] = await rows.query<{ id: string }>(insertStatement, row)
    const { id: invitationId } =
      created ??
      refuse('invitation_open', {
        detail: 'This email has an open invitation. Send it again, or revoke it first.',
      })
    const isMailed = await mailIfEmail(rows, options, { invitationId, organizationId, email, actorId: actor.id })
    const target = { kind: 'invitation', id: invitationId } as const
    const details = { organization: organizationId, role: roleId, ...(isMailed !== undefined && { isMailed }) }
    await recordAudit(rows, { action: 'invitation.created', target, ...actor.origin, details })
    return readInvitation(rows, invitationId, token?.token)
  })
}

/** Invitations that are open or were declined, as JSON text, oldest first. */
export async function readInvitations(rows: Rows, organizationId: string): Promise<string> {
  const [row] = await rows.query<{ body: string }>(listStatement, [organizationId])
  return row?.body ?? '{"invitations":[]}'
}

/**
 * Renews an invitation and mails it, or gives a link a new token. A declined one is open again.
 * Problems: those of `authorize`, `permission_exceeds`, `invitation_unknown`, `member_already`, `rate_limited` if the
 * service sends mail and must not send this one now.
 */
export function sendInvitation(
  database: Database,
  change: OrganizationChange,
  { invitationId, ...options }: SendingOptions & { readonly invitationId: string },
): Promise<NewInvitation> {
  const { organizationId } = change
  return changeOrganization(database, change, invitationContracts.send.permission, async (rows, actor) => {
    const values = [organizationId, invitationId]
    const [found] = await rows.query<{ role: string; email: string | null }>(findStatement, values)
    const { role, email } = found ?? refuse('invitation_unknown')
    await actor.requireHolds([role])
    const token = email === null ? newToken() : undefined
    await rows.query(renewStatement, [invitationId, token?.hash ?? null, actor.id ?? null, options.expiresInHours])
    const isMailed = await mailIfEmail(rows, options, { invitationId, organizationId, email, actorId: actor.id })
    if (isMailed === false && options.mailer) refuseMail()
    const target = { kind: 'invitation', id: invitationId } as const
    const details = { organization: organizationId, ...(isMailed !== undefined && { isMailed }) }
    await recordAudit(rows, { action: 'invitation.sent', target, ...actor.origin, details })
    return readInvitation(rows, invitationId, token?.token)
  })
}

/** Problems: those of `authorize`, `permission_exceeds`, `invitation_unknown`. */
export function revokeInvitation(database: Database, change: OrganizationChange, invitationId: string): Promise<void> {
  const { organizationId } = change
  return changeOrganization(database, change, invitationContracts.revoke.permission, async (rows, actor) => {
    const [revoked] = await rows.query<{ role: string }>(revokeStatement, [organizationId, invitationId])
    await actor.requireHolds([(revoked ?? refuse('invitation_unknown')).role])
    const target = { kind: 'invitation', id: invitationId } as const
    const details = { organization: organizationId }
    await recordAudit(rows, { action: 'invitation.revoked', target, ...actor.origin, details })
  })
}

/** Deletes expired invitations, with the emails in them: at most 1,000 per run. Part of the maintenance. */
export async function deleteExpiredInvitations(rows: Rows): Promise<void> {
  await rows.query(expiredStatement, [])
}

/** Deletes what has ended and checks the limits. Problem: `invitations_full`. */
async function requirePlace(
  rows: Rows,
  { organizationId, email, actorId }: Pick<Addressed, 'organizationId' | 'email' | 'actorId'>,
): Promise<void> {
  await rows.query(deleteEndedStatement, [organizationId, email])
  const values = [organizationId, actorId ?? null]
  const [{ all, own } = { all: 0, own: 0 }] = await rows.query<Counts>(countStatement, values)
  if (all >= invitationsMax || (actorId !== undefined && own >= invitationsOfMemberMax))
    refuse('invitations_full', {
      detail: `An organization has at most ${invitationsMax} invitations, ${invitationsOfMemberMax} of them created by one member. Revoke one first.`,
    })
}

interface Addressed {
  readonly invitationId: string
  readonly organizationId: string
  /** Normalized. Null for a link. */
  readonly email: string | null
  readonly actorId: string | undefined
}

/** Whether the invitation was mailed. Undefined for a link. Problem: `member_already`. */
async function mailIfEmail(
  rows: Rows,
  { mailer, language, expiresInHours }: SendingOptions,
  { email, ...invitation }: Addressed,
): Promise<boolean | undefined> {
  if (email === null) return undefined
  const recipient: Recipient = await findRecipient(rows, invitation.organizationId, email)
  if (recipient.isMember) refuse('member_already')
  return mailInvitation(rows, mailer, { ...invitation, email, recipient, language, expiresInHours })
}

function refuseMail(): never {
  return refuse('rate_limited', {
    detail: 'This email has had too many mails, or too many of your mails are waiting. The invitation was not changed.',
    retryAfterSeconds: 3_600,
  })
}

function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: opaqueTokenHash(token) }
}

async function readInvitation(rows: Rows, invitationId: string, token: string | undefined): Promise<NewInvitation> {
  const [row] = await rows.query<{ invitation: NewInvitation }>(readStatement, [invitationId])
  if (!row) throw new Error('An invitation was written and not found.')
  return { ...row.invitation, ...(token !== undefined && { token }) }
}

interface Counts {
  readonly all: number
  /** Number of invitations created by the inviting member. */
  readonly own: number
}

const members = `'id', id, 'email', email, 'role', role_id, 'createdAt', ${utcText('created_at')},
         'expiresAt', ${utcText('expires_at')}, 'mailedAt', ${utcText('mailed_at')}`

/** An invitation that was declined gives way to a new one. */
const deleteEndedStatement = {
  name: 'invitations_delete_ended',
  text: `
delete from invitation
where organization_id = $1 and (expires_at <= now() or (email = $2::text and declined_at is not null))`,
}

const countStatement = {
  name: 'invitations_count',
  text: `
select count(*)::int as all, (count(*) filter (where created_by = $2::uuid))::int as own
from invitation where organization_id = $1`,
}

/** $1 organization, $2 role, $3 email or null, $4 hash of the token or null, $5 account or null, $6 hours. */
const insertStatement = {
  name: 'invitation_insert',
  text: `
insert into invitation (organization_id, role_id, email, token_hash, created_by, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6))
on conflict (organization_id, email) where email is not null do nothing
returning id`,
}

const readStatement = {
  name: 'invitation_read',
  text: `select json_strip_nulls(json_build_object(${members})) as invitation from invitation where id = $1`,
}

const listStatement = {
  name: 'invitations',
  text: `
select json_build_object('invitations', coalesce(json_agg(json_strip_nulls(json_build_object(
         ${members}, 'declinedAt', ${utcText('declined_at')})) order by id), '[]'))::text as body
from invitation
where organization_id = $1 and expires_at > now()`,
}

const findStatement = {
  name: 'invitation_find',
  text: `
select role_id as role, email from invitation
where organization_id = $1 and id = $2 and expires_at > now()`,
}

/** $1 invitation, $2 hash of the new token or null, $3 account, $4 hours. */
const renewStatement = {
  name: 'invitation_renew',
  text: `
update invitation
set token_hash = $2, created_by = $3, declined_at = null, expires_at = now() + make_interval(hours => $4)
where id = $1`,
}

const revokeStatement = {
  name: 'invitation_revoke',
  text: 'delete from invitation where organization_id = $1 and id = $2 and expires_at > now() returning role_id as role',
}

const expiredStatement = {
  name: 'invitations_expired',
  text: `
delete from invitation where id in (
  select id from invitation where expires_at < now() order by expires_at limit 1000)`,
}
