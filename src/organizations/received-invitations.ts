import { authorize } from '../identity/authorize.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { opaqueTokenHash } from '../platform/secret.ts'
import type { OwnOrganization } from './contract.ts'
import { invitationContracts } from './invitation-contract.ts'
import { addMembership, lockOrganization, verifiedEmailOf } from './membership.ts'

interface InvitedRequest {
  readonly caller: UserCaller
  readonly origin: AuditOrigin
}

/** A link works for whoever has its token, an email only for the user who has verified it. */
type InvitationKey = { readonly token: string } | { readonly invitationId: string }

/**
 * A page of the invitations that the caller can accept, as JSON text, and the id after which the next page starts.
 * Problems: those of `authorize`.
 */
export async function readReceivedInvitations(
  rows: Rows,
  caller: UserCaller | ActingCaller,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ readonly body: string; readonly next?: string }> {
  const accountId =
    caller.kind === 'acting'
      ? caller.accountId
      : await authorize(rows, caller, invitationContracts.listReceived.permission)
  const values = [accountId, after ?? firstId, limit]
  const [row] = await rows.query<{ body: string; next: string | null }>(receivedStatement, values)
  return { body: row?.body ?? '{"invitations":[]}', ...(row?.next && { next: row.next }) }
}

/**
 * Makes the caller a member. The same problem is thrown for an invitation that is unknown, used, declined, expired or
 * for someone else, or whose creator may no longer assign its role.
 * Problems: those of `authorize`, `invitation_unknown`, `member_already`.
 */
export function acceptInvitation(
  database: Database,
  { caller, origin }: InvitedRequest,
  key: InvitationKey,
): Promise<OwnOrganization> {
  return database.transaction(async (rows) => {
    const accountId = await authorize(rows, caller, invitationContracts.accept.permission)
    const read = async () => (await findUsable(rows, accountId, key)) ?? refuse('invitation_unknown')
    await lockOrganization(rows, (await read()).id)
    // Read again under the lock: meanwhile someone else may have accepted it.
    const { invitation_id: invitationId, ...organization } = await read()
    const { id: organizationId, role: roleId } = organization
    // Another user can still use the token.
    if (!(await addMembership(rows, { organizationId, accountId, roleId }))) refuse('member_already')
    await rows.query(usedStatement, [invitationId])
    await recordAudit(rows, {
      action: 'invitation.accepted',
      actorId: accountId,
      target: { kind: 'invitation', id: invitationId },
      ...origin,
      details: { organization: organizationId, role: roleId },
    })
    return organization
  })
}

/** Problems: those of `authorize`, `invitation_unknown`. */
export function declineInvitation(
  database: Database,
  { caller, origin }: InvitedRequest,
  invitationId: string,
): Promise<void> {
  return database.transaction(async (rows) => {
    const accountId = await authorize(rows, caller, invitationContracts.accept.permission)
    const [declined] = await rows.query<{ organization_id: string }>(declineStatement, [invitationId, accountId])
    const { organization_id: organization } = declined ?? refuse('invitation_unknown')
    await recordAudit(rows, {
      action: 'invitation.declined',
      actorId: accountId,
      target: { kind: 'invitation', id: invitationId },
      ...origin,
      details: { organization },
    })
  })
}

interface UsableInvitation extends OwnOrganization {
  readonly invitation_id: string
}

async function findUsable(rows: Rows, accountId: string, key: InvitationKey): Promise<UsableInvitation | undefined> {
  const [hash, id] = 'token' in key ? [opaqueTokenHash(key.token), null] : [null, key.invitationId]
  return (await rows.query<UsableInvitation>(usableStatement, [hash, id, accountId]))[0]
}

const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * SQL condition for `invitation i`. Whoever created it must still be able to invite, and still have what its role
 * grants.
 */
const isUsable = `i.expires_at > now() and i.declined_at is null and (i.created_by is null or exists (
    select from membership m
    join role_grant g on g.role_id = m.role_id and g.resource = 'organization' and g.action = 'manage'
    join account a on a.id = m.account_id and a.disabled_at is null
    where m.organization_id = i.organization_id and m.account_id = i.created_by
      and not exists (
        select w.resource, w.action from role_grant w where w.role_id = i.role_id
        except select h.resource, h.action from role_grant h where h.role_id = m.role_id)))`

/** $1 account, $2 last invitation of the previous page, $3 page size. Reads one more row. */
const receivedStatement = {
  name: 'invitations_received',
  text: `
with found as (
  select i.id, i.organization_id, o.name, i.role_id, i.created_at, i.expires_at, row_number() over (order by i.id) as n
  from invitation i join organization o on o.id = i.organization_id
  where i.email = ${verifiedEmailOf('$1')} and i.id > $2 and ${isUsable}
    and not exists (select from membership m where m.organization_id = i.organization_id and m.account_id = $1)
  order by i.id
  limit $3::int + 1
)
select json_build_object('invitations', coalesce(json_agg(json_build_object(
         'id', f.id, 'organization', json_build_object('id', f.organization_id, 'name', f.name), 'role', f.role_id,
         'createdAt', ${utcText('f.created_at')}, 'expiresAt', ${utcText('f.expires_at')}) order by f.n), '[]'))::text as body,
       (select l.id from found l where l.n = $3 and exists (select from found where n > $3)) as next
from found f
where f.n <= $3`,
}

/** $1 hash of a token or null, $2 invitation or null, $3 account. */
const usableStatement = {
  name: 'invitation_usable',
  text: `
select i.id as invitation_id, o.id, o.name, i.role_id as role
from invitation i join organization o on o.id = i.organization_id
where (i.token_hash = $1::bytea or (i.id = $2::uuid and i.email = ${verifiedEmailOf('$3')})) and ${isUsable}`,
}

const usedStatement = { name: 'invitation_used', text: 'delete from invitation where id = $1' }

/** $1 invitation, $2 account. */
const declineStatement = {
  name: 'invitation_decline',
  text: `
update invitation i set declined_at = now()
where i.id = $1 and i.email = ${verifiedEmailOf('$2')} and ${isUsable}
returning i.organization_id`,
}
