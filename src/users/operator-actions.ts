import type { Caller } from '../identity/caller.ts'
import { requirePermission } from '../identity/permissions.ts'
import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import { etagOf, isPresent } from '../platform/http/etag.ts'
import { refuse } from '../platform/problems.ts'

/** One user as JSON text of the contract's `UserRecord`, and the tag of this state of it. */
export interface UserState {
  readonly body: string
  readonly etag: string
}

/** What an operator asks to be done, seen by whom. `ifMatch` is the header as it came. */
export interface UserChange {
  readonly caller: Caller
  readonly userId: string
  readonly ifMatch: string | undefined
  readonly origin: AuditOrigin
}

/** Problems: those of `requirePermission`, `user_unknown`. */
export async function readUser(rows: Rows, caller: Caller, userId: string): Promise<UserState> {
  await requirePermission(rows, caller, { resource: 'users', action: 'read' })
  return stateOf(rows, userId)
}

/**
 * Locks somebody out, and ends their sessions; or lets them in again. Doing so twice changes nothing.
 * Problems: those of `requirePermission`, `user_unknown`, `precondition_required`, `precondition_failed`, `last_administrator`.
 */
export function setUserDisabled(database: Database, change: UserChange, disabled: boolean): Promise<UserState> {
  const action = disabled ? 'disable' : 'enable'
  return changing(database, change, action, async (rows, actorId) => {
    const changed = await rows.query(disabled ? disableStatement : enableStatement, [change.userId])
    if (changed.length === 0) return
    if (disabled) await rows.query(endSessionsStatement, [change.userId])
    await recordAudit(rows, {
      action: disabled ? 'account.disabled' : 'account.enabled',
      actorId,
      target: { kind: 'account', id: change.userId },
      ...change.origin,
    })
  })
}

/** Problems: those of `setUserDisabled`, `input_invalid` for a role that there is not. */
export function changeUserRole(database: Database, change: UserChange, roleId: string): Promise<UserState> {
  return changing(database, change, 'change_role', async (rows, actorId) => {
    const [row] = await rows.query<{ known: boolean; role: string }>(roleStatement, [roleId, change.userId])
    if (!row?.known) refuse('input_invalid', { errors: [{ pointer: '/role', detail: 'There is no such role.' }] })
    if (row.role === roleId) return
    await rows.query(changeRoleStatement, [change.userId, roleId])
    await recordAudit(rows, {
      action: 'account.role_changed',
      actorId,
      target: { kind: 'account', id: change.userId },
      ...change.origin,
      details: { from: row.role, to: roleId },
    })
  })
}

/** Ends the sessions of the built-in issuer and answers how many. Problems: those of `requirePermission`, `user_unknown`. */
export function endUserSessions(database: Database, { caller, userId, origin }: UserChange): Promise<number> {
  return database.transaction(async (rows) => {
    const actorId = await requirePermission(rows, caller, { resource: 'users', action: 'end_sessions' })
    await stateOf(rows, userId)
    const ended = await rows.query<{ id: string }>(endSessionsStatement, [userId])
    for (const { id } of ended)
      await recordAudit(rows, { action: 'session.ended', actorId, target: { kind: 'session', id }, ...origin })
    return ended.length
  })
}

/**
 * One change at a time in the whole database: two administrators who lock each other out at the same moment would otherwise each
 * see the other one left.
 */
function changing(
  database: Database,
  { caller, userId, ifMatch }: UserChange,
  action: 'disable' | 'enable' | 'change_role',
  work: (rows: Rows, actorId: string) => Promise<void>,
): Promise<UserState> {
  return database.transaction(async (rows) => {
    await rows.query(oneAtATime, [])
    const actorId = await requirePermission(rows, caller, { resource: 'users', action })
    const before = await stateOf(rows, userId)
    requireMatch(ifMatch, before.etag)
    await work(rows, actorId)
    const [left] = await rows.query<{ some: boolean }>(administratorsStatement, [])
    if (!left?.some) refuse('last_administrator', { detail: 'Make somebody else an administrator first.' })
    return stateOf(rows, userId)
  })
}

async function stateOf(rows: Rows, userId: string): Promise<UserState> {
  const [row] = await rows.query<{ body: string }>(userStatement, [userId])
  const { body } = row ?? refuse('user_unknown')
  return { body, etag: etagOf(body) }
}

function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) refuse('precondition_required', { detail: 'Read the user and send its ETag as If-Match.' })
  if (!isPresent(ifMatch, etag))
    refuse('precondition_failed', { detail: 'Somebody has changed this user since. Read it again.' })
}

const oneAtATime = { name: 'users_change_lock', text: `select pg_advisory_xact_lock(hashtext('muster users change'))` }

const userStatement = {
  name: 'user_read',
  text: `
select json_strip_nulls(json_build_object(
         'id', a.id,
         'email', a.email,
         'role', a.role_id,
         'status', case when a.is_disabled then 'disabled' else 'active' end,
         'createdAt', ${utcText('a.created_at')},
         'disabledAt', ${utcText('a.disabled_at')},
         'orgs', (select coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role_id)
                                           order by o.name, o.id), '[]')
                  from membership m join organization o on o.id = m.organization_id
                  where m.account_id = a.id),
         'identities', (select coalesce(json_agg(json_build_object('issuer', i.issuer, 'subject', i.subject)
                                                 order by i.issuer, i.subject), '[]')
                        from identity i where i.account_id = a.id)))::text as body
from account a
where a.id = $1`,
}

const disableStatement = {
  name: 'user_disable',
  // Whoever is disabled signs in again when enabled: no session outlives it (ASVS 7.4.2).
  text: `
with changed as (
  update account set disabled_at = now() where id = $1 and disabled_at is null returning id
), ended as (
  update session s set ended_at = now() from changed where s.account_id = changed.id and s.ended_at is null
)
select id from changed`,
}

const enableStatement = {
  name: 'user_enable',
  text: 'update account set disabled_at = null where id = $1 and disabled_at is not null returning id',
}

const roleStatement = {
  name: 'user_role',
  text: `select exists (select from role where id = $1) as known, a.role_id as role from account a where a.id = $2`,
}

const changeRoleStatement = { name: 'user_role_change', text: 'update account set role_id = $2 where id = $1' }

const endSessionsStatement = {
  name: 'user_sessions_end',
  text: `
update session set ended_at = now()
where account_id = $1 and ended_at is null and expires_at > now()
returning id`,
}

/** An administrator is whoever can make another one: not disabled, of a role that may change roles and enable accounts. */
const administratorsStatement = {
  name: 'administrators_left',
  text: `
select exists (
  select from role_grant c
  join role_grant e on e.role_id = c.role_id and e.resource = 'users' and e.action = 'enable'
  join account a on a.role_id = c.role_id and not a.is_disabled
  where c.resource = 'users' and c.action = 'change_role') as some`,
}
