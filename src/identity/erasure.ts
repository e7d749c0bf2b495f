import { type AuditOrigin, recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { refuse } from '../platform/problems.ts'
import { type AcceptedIssuers, keepAdministrator } from './administrators.ts'
import { hasNotEnded } from './delete-organizations.ts'
import { notify } from './notify.ts'

interface ErasureRequest {
  readonly accountId: string
  /** Grace period in which the account can be restored; 0: delete now. */
  readonly afterDays: number
  readonly acceptedIssuers: AcceptedIssuers
  /** Notifies the user. Absent if the service sends no emails. */
  readonly outbox?: Outbox | undefined
  /** Absent for commands. */
  readonly actorId?: string
  readonly origin?: AuditOrigin
  /** Checks the caller again under the locks. */
  readonly requireCaller?: () => Promise<unknown>
}

/**
 * Schedules the deletion of an account and returns its time. Until then the account is disabled and hidden from lists;
 * its sessions, devices and links end. If a deletion is already scheduled, the earlier time counts. Call it in a
 * transaction.
 * Problems: `user_unknown`, `last_administrator`, `last_owner`, `subscription_active`. Source:
 * docs/decisions/deletion.md.
 */
export async function requestErasure(
  rows: Rows,
  { accountId, afterDays, acceptedIssuers, outbox, actorId, origin, requireCaller }: ErasureRequest,
): Promise<Date> {
  return keepAdministrator(rows, acceptedIssuers, async () => {
    await rows.query(lockOrganizationsStatement, [accountId])
    const [before] = await rows.query<{ erases_at: Date | null }>(lockStatement, [accountId])
    await requireCaller?.()
    if (!before) return refuse('user_unknown')
    if (before.erases_at && afterDays > 0) return before.erases_at
    await requireErasable(rows, accountId)
    const [row] = await rows.query<{ erases_at: Date; was_disabled: boolean }>(requestStatement, [accountId, afterDays])
    if (!row) throw new Error('The update of a locked account returned no row.')
    await recordAudit(rows, {
      action: 'account.erase_requested',
      actorId,
      target: { kind: 'account', id: accountId },
      ...origin,
      details: { erasesAt: row.erases_at.toISOString() },
    })
    const values = { date: row.erases_at.toISOString().slice(0, 10) }
    // A user who was already disabled cannot sign in to restore the account.
    const kind = row.was_disabled ? 'erasureOfDisabled' : 'erasureScheduled'
    if (afterDays > 0) await notify({ outbox }, rows, { accountId, kind, values })
    return row.erases_at
  })
}

/** Problems: `last_owner`, `subscription_active`. */
export async function requireErasable(rows: Rows, accountId: string): Promise<void> {
  const [found] = await rows.query<Obstacles>(obstaclesStatement, [accountId])
  if (found?.is_last_owner)
    refuse('last_owner', {
      detail: 'The user is the only owner of an organization with other members. Make another member an owner first.',
    })
  if (found?.subscriptions.length)
    refuse('subscription_active', { detail: `Cancel these subscriptions first: ${found.subscriptions.join(', ')}.` })
}

interface Obstacles {
  readonly is_last_owner: boolean
  readonly subscriptions: readonly string[]
}

/** Restores an account. Returns false, without a change, if it cannot be restored. */
export async function keepAccount(
  rows: Rows,
  { accountId, origin }: { readonly accountId: string; readonly origin: AuditOrigin },
): Promise<boolean> {
  const kept = await rows.query(keepStatement, [accountId])
  if (kept.length === 0) return false
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(rows, { action: 'account.kept', actorId: accountId, target, ...origin })
  return true
}

/**
 * SQL condition for `account a`: its user can restore it. It was enabled when the deletion was requested, and the grace
 * period has not ended.
 */
export const isKeepable = '(a.erases_at > now() and a.disabled_at = a.erase_requested_at)'

/** Every statement locks in the same order, which prevents deadlocks. */
const lockOrganizationsStatement = {
  name: 'erasure_lock_organizations',
  text: `
select id from organization where id in (select organization_id from membership where account_id = $1)
order by id for no key update`,
}

const lockStatement = {
  name: 'erasure_lock',
  text: 'select erases_at from account where id = $1 for no key update',
}

/**
 * `own`: organizations whose other members, if any, are all scheduled for deletion too.
 */
const obstaclesStatement = {
  name: 'erasure_obstacles',
  text: `
with managing as (
  select role_id from role_grant where resource = 'organization' and action = 'manage'
), own as (
  select m.organization_id from membership m
  where m.account_id = $1 and not exists (
    select from membership o join account a on a.id = o.account_id and a.erases_at is null
    where o.organization_id = m.organization_id and o.account_id <> $1)
)
select exists (
         select from membership m join managing using (role_id)
         where m.account_id = $1 and m.organization_id not in (select organization_id from own)
           and not exists (
             select from membership o join managing using (role_id)
             join account a on a.id = o.account_id and a.disabled_at is null
             where o.organization_id = m.organization_id and o.account_id <> $1)) as is_last_owner,
       array(
         select s.id from customer c join subscription s on s.customer_id = c.id
         where (c.account_id = $1 or c.organization_id in (select organization_id from own))
           and ${hasNotEnded}
         order by s.id limit 20) as subscriptions`,
}

/** The new security epoch also invalidates links that are created at the same moment. */
const requestStatement = {
  name: 'erasure_request',
  text: `
with changed as (
  update account set disabled_at = coalesce(disabled_at, now()), erase_requested_at = coalesce(erase_requested_at, now()),
                     erases_at = least(erases_at, now() + make_interval(days => $2)), security_epoch = security_epoch + 1
  where id = $1
  returning id, erases_at, disabled_at <> erase_requested_at as was_disabled
), ended_sessions as (
  update session s set ended_at = now() from changed where s.account_id = changed.id and s.ended_at is null
), ended_devices as (
  delete from device d using changed where d.account_id = changed.id
), ended_links as (
  delete from account_link l using changed where l.account_id = changed.id
), ended_challenges as (
  delete from sign_in_challenge h using changed where h.account_id = changed.id
)
select erases_at, was_disabled from changed`,
}

/** The trigger account_kept removes the schedule. */
const keepStatement = {
  name: 'erasure_keep',
  text: `
with kept as (
  update account a set disabled_at = null where a.id = $1 and ${isKeepable} returning a.id
), ended_challenges as (
  delete from sign_in_challenge h using kept where h.account_id = kept.id
)
select id from kept`,
}
