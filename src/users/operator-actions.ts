import { type Administration, keepAdministrator, lockAdministration } from '../identity/administrators.ts'
import { authorize } from '../identity/authorize.ts'
import { type ErasureRequestSettings, eraseAccount } from '../identity/erase-account.ts'
import { requestErasure } from '../identity/erasure.ts'
import { requireRoleFor } from '../identity/grants.ts'
import { setPreferences } from '../identity/preferences.ts'
import { requireHolds, requireRoleChange } from '../identity/require-holds.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import type { Permission } from '../platform/http/contract.ts'
import { etagOf, matchesEtag } from '../platform/http/negotiation.ts'
import { refuse } from '../platform/problems.ts'
import { setDisabled, statusOf } from './accounts.ts'
import { type UserRecord, userContracts, userRecoveryContract } from './contract.ts'

/** A user, with the stored names of issuers, and the ETag of that version. */
export interface UserState {
  readonly user: UserRecord
  readonly etag: string
}

/** A change of one user by an administrator. `ifMatch` is the header as sent. */
export interface UserChange {
  readonly caller: UserCaller
  readonly userId: string
  readonly ifMatch: string | undefined
  readonly origin: AuditOrigin
}

/**
 * `within`: only if the user is a member of this organization; other organizations are not shown. Problem:
 * `user_unknown`.
 */
export async function readUser(rows: Rows, userId: string, within?: string): Promise<UserState> {
  const [row] = await rows.query<{ body: string }>(userStatement, [userId, within ?? null])
  const { body } = row ?? refuse('user_unknown')
  // Trust boundary: the statement makes a `UserRecord`.
  return { user: JSON.parse(body) as UserRecord, etag: etagOf(body) }
}

/** The id of the user with this identity. `within` and problem: as for `readUser`. */
export async function findUser(
  rows: Rows,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
  within?: string,
): Promise<string> {
  const [row] = await rows.query<{ id: string }>(findStatement, [issuer, subject, within ?? null])
  return row?.id ?? refuse('user_unknown', { detail: 'No user of this issuer has this subject.' })
}

/**
 * Disables a user and ends their sessions, or enables a user. Idempotent.
 * Problems: those of `authorize`, `permission_exceeds`, `user_unknown`, `precondition_required`, `precondition_failed`,
 * `last_administrator`.
 */
export function setUserDisabled(
  administration: Administration,
  change: UserChange,
  disabled: boolean,
): Promise<UserState> {
  const { permission } = disabled ? userContracts.disable : userContracts.enable
  return changeUser(administration, change, permission, async (rows, { by }) => {
    await setDisabled(rows, { id: change.userId, disabled }, by)
  })
}

/** The same for the command line. Returns whether anything changed. Problem: `last_administrator`. */
export function setUserDisabledAsOperator(
  { database, acceptedIssuers }: Administration,
  account: { readonly id: string; readonly disabled: boolean },
): Promise<boolean> {
  return database.transaction((rows) => keepAdministrator(rows, acceptedIssuers, () => setDisabled(rows, account)))
}

/**
 * Problems: those of `setUserDisabled` and `requireRoleChange`, and `input_invalid` if the role is not for accounts.
 */
export function changeUserRole(administration: Administration, change: UserChange, roleId: string): Promise<UserState> {
  const { userId: id } = change
  return changeUser(administration, change, userContracts.changeRole.permission, async (rows, { role, by }) => {
    await requireRoleFor(rows, 'account', roleId)
    if (role === roleId) return
    await requireRoleChange(rows, { callerId: by.actorId, accountId: id, from: role, to: roleId }, 'account')
    await rows.query(changeRoleStatement, [id, roleId])
    const details = { from: role, to: roleId }
    await recordAudit(rows, { action: 'account.role_changed', target: { kind: 'account', id }, ...by, details })
  })
}

/**
 * Changes or removes the display name of a user. Problems: those of `setUserDisabled`, except `last_administrator`.
 */
export function renameUser(
  administration: Administration,
  change: UserChange,
  displayName: string | null,
): Promise<UserState> {
  const { userId: id } = change
  return changeUser(administration, change, userContracts.rename.permission, async (rows, { by }) => {
    await setPreferences(rows, id, { displayName })
    await recordAudit(rows, { action: 'account.renamed', target: { kind: 'account', id }, ...by })
  })
}

/**
 * Schedules the deletion of a user and returns its time. Deletes now with `immediately`, or if the grace period is 0
 * days.
 * Problems: those of `authorize` and `requestErasure`, `permission_exceeds`, `precondition_required`,
 * `precondition_failed`.
 */
export async function eraseUser(
  database: Database,
  change: UserChange,
  { immediately, ...erasure }: ErasureRequestSettings & { readonly immediately: boolean },
): Promise<Date> {
  const { userId: accountId, origin } = change
  const { acceptedIssuers, outbox } = erasure
  const afterDays = immediately ? 0 : erasure.afterDays
  const erasesAt = await database.transaction(async (rows) => {
    await lockAdministration(rows)
    const { by } = await requireChange(rows, change, userContracts.erase.permission)
    return requestErasure(rows, { accountId, afterDays, acceptedIssuers, outbox, actorId: by.actorId, origin })
  })
  if (afterDays === 0) await eraseAccount(database, erasure, accountId)
  return erasesAt
}

/**
 * Creates the link of an account, in the transaction that has checked the caller. `undefined` if the link is sent by
 * email.
 */
export type MakeRecoveryLink = (
  rows: Rows,
  link: {
    readonly accountId: string
    readonly resetsFactors: boolean
    readonly actorId: string
    readonly origin: AuditOrigin
  },
) => Promise<{ readonly link: string; readonly expiresAt: Date } | undefined>

/**
 * Creates a link for setting a new password. Not for the caller's own account: otherwise a stolen session could take
 * over the account without its password.
 * Problems: those of `authorize`, `permission_exceeds`, `user_unknown`, `precondition_required`, `precondition_failed`,
 * `self_recovery`, and those of `makeLink`.
 */
export function makeRecoveryLink(
  database: Database,
  change: UserChange,
  { resetsFactors, makeLink }: { readonly resetsFactors: boolean; readonly makeLink: MakeRecoveryLink },
): ReturnType<MakeRecoveryLink> {
  const { caller, userId: accountId, origin } = change
  return database.transaction(async (rows) => {
    await lockAdministration(rows)
    const { actorId } = (await requireChange(rows, change, userRecoveryContract.permission)).by
    if (resetsFactors) await authorize(rows, caller, 'users:reset_factors')
    if (actorId === accountId) refuse('self_recovery')
    return makeLink(rows, { accountId, resetsFactors, actorId, origin })
  })
}

/**
 * Ends the sessions of the built-in issuer and returns their number.
 * Problems: those of `authorize`, `permission_exceeds`, `user_unknown`.
 */
export function endUserSessions(
  database: Database,
  { caller, userId, origin }: Pick<UserChange, 'caller' | 'userId' | 'origin'>,
): Promise<number> {
  return database.transaction(async (rows) => {
    await lockAdministration(rows)
    const actorId = await authorize(rows, caller, userContracts.endSessions.permission)
    await requireHolds(rows, actorId, [await roleOf(rows, userId)], 'account')
    const ended = await rows.query<{ id: string }>(endSessionsStatement, [userId])
    for (const { id } of ended)
      await recordAudit(rows, { action: 'session.ended', actorId, target: { kind: 'session', id }, ...origin })
    return ended.length
  })
}

function changeUser(
  { database, acceptedIssuers }: Administration,
  change: UserChange,
  permission: Permission,
  work: (rows: Rows, checked: CheckedChange) => Promise<void>,
): Promise<UserState> {
  return database.transaction((rows) =>
    keepAdministrator(rows, acceptedIssuers, async () => {
      await work(rows, await requireChange(rows, change, permission))
      return readUser(rows, change.userId)
    }),
  )
}

interface CheckedChange {
  /** The current role of the user. */
  readonly role: string
  /** For the audit log. */
  readonly by: AuditOrigin & { readonly actorId: string }
}

/**
 * Under the lock: checks the permission again, that the caller's role grants everything the user's role grants, and
 * `If-Match`.
 */
async function requireChange(
  rows: Rows,
  { caller, userId, ifMatch, origin }: UserChange,
  permission: Permission,
): Promise<CheckedChange> {
  const actorId = await authorize(rows, caller, permission)
  const before = await readUser(rows, userId)
  const role = await roleOf(rows, userId)
  await requireHolds(rows, actorId, [role], 'account')
  requireMatch(ifMatch, before.etag)
  return { role, by: { actorId, ...origin } }
}

/** Problem: `user_unknown`. */
async function roleOf(rows: Rows, userId: string): Promise<string> {
  const [row] = await rows.query<{ role: string }>(roleStatement, [userId])
  return (row ?? refuse('user_unknown')).role
}

function requireMatch(ifMatch: string | undefined, etag: string): void {
  // A client that received no ETag sends an empty header.
  if (ifMatch === undefined || ifMatch.trim() === '')
    refuse('precondition_required', {
      detail: 'Get the user and send its ETag as If-Match. If the response has no ETag, a proxy removes it.',
    })
  if (!matchesEtag(ifMatch, etag))
    refuse('precondition_failed', { detail: 'The user has changed in the meantime. Get the user again.' })
}

const userStatement = {
  name: 'user_read',
  text: `
select json_strip_nulls(json_build_object(
         'id', a.id,
         'email', a.email,
         'displayName', a.display_name,
         'emailProved', a.is_email_proved,
         'role', a.role_id,
         'status', ${statusOf('a')},
         'createdAt', ${utcText('a.created_at')},
         'disabledAt', ${utcText('a.disabled_at')},
         'erasesAt', ${utcText('a.erases_at')},
         'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role_id)
                                           order by o.name, o.id), '[]')
                  from membership m join organization o on o.id = m.organization_id
                  where m.account_id = a.id and m.organization_id = coalesce($2, m.organization_id)),
         'identities', (select coalesce(json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject)
                                                 order by i.issuer, i.subject), '[]')
                        from identity i where i.account_id = a.id)))::text as body
from account a
where a.id = $1
  and ($2::uuid is null or exists (select from membership m where m.account_id = a.id and m.organization_id = $2))`,
}

/** $1 stored name of the issuer, $2 subject, $3 organization that the user must be a member of, or null. */
const findStatement = {
  name: 'user_find',
  text: `
select i.account_id as id from identity i
where i.issuer = $1 and i.subject = $2
  and ($3::uuid is null
       or exists (select from membership m where m.account_id = i.account_id and m.organization_id = $3))`,
}

const roleStatement = { name: 'user_role', text: 'select role_id as role from account where id = $1' }

const changeRoleStatement = { name: 'user_role_change', text: 'update account set role_id = $2 where id = $1' }

const endSessionsStatement = {
  name: 'user_sessions_end',
  text: `
update session set ended_at = now()
where account_id = $1 and ended_at is null and expires_at > now()
returning id`,
}
