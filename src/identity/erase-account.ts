import type { Logger } from 'pino'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { Problem } from '../platform/problems.ts'
import type { AcceptedIssuers } from './administrators.ts'
import { deleteOrganizations } from './delete-organizations.ts'
import { requireErasable } from './erasure.ts'
import { appendErasures, type ErasureLine, readErasures } from './erasures-file.ts'
import { notify } from './notify.ts'

export interface ErasureSettings {
  /** Days between the request and the deletion, in which the account can be restored. */
  readonly afterDays: number
  /** The directory of `erasures.ndjson`. */
  readonly dataDir: string
  /** Notifies users. Absent if the service sends no emails. */
  readonly outbox?: Outbox | undefined
  readonly log: Pick<Logger, 'warn'>
}

export interface ErasureRequestSettings extends ErasureSettings {
  readonly acceptedIssuers: AcceptedIssuers
}

/** Maximum number of accounts deleted in one run. */
const dueMax = 1_000

/**
 * Deletes accounts whose grace period has ended, the oldest first. Returns their number. Skips an account with an
 * active subscription, or that is the last owner of an organization, and logs a warning.
 */
export async function eraseDue(
  database: Database,
  settings: ErasureSettings,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let erased = 0
  for (const { id } of await database.query<{ id: string }>(dueStatement, [dueMax])) {
    if (signal?.aborted) break
    try {
      if (await eraseAccount(database, settings, id)) erased += 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code !== 'subscription_active' && error.code !== 'last_owner') throw error
      settings.log.warn({ account: id, problem: error.code }, 'cannot delete the account yet')
    }
  }
  return erased
}

/**
 * Deletes an account whose grace period has ended, with all its data. Returns false if it is already deleted or was
 * restored. `isAgain`: the account was deleted before and came back with a restored backup, so nothing blocks the
 * deletion.
 * Problems: `last_owner`, `subscription_active`.
 */
export async function eraseAccount(
  database: Database,
  settings: Pick<ErasureSettings, 'dataDir' | 'log' | 'outbox'>,
  accountId: string,
  { isAgain = false }: { readonly isAgain?: boolean } = {},
): Promise<boolean> {
  const erased = await database.transaction(async (rows) => {
    if (isAgain) await rows.query(disableStatement, [accountId])
    await rows.query(lockOrganizationsStatement, [accountId])
    const [account] = await rows.query<{ emails: string[]; subjects: string[] }>(lockDueStatement, [accountId])
    if (!account) return undefined
    if (!isAgain) await requireErasable(rows, accountId)
    if (!isAgain) await notify(settings, rows, { accountId, kind: 'erased', values: {} })
    await rows.query(auditStatement, [accountId, account.emails])
    await rows.query(reusedStatement, [accountId])
    await rows.query(customersStatement, [accountId, [accountId, ...account.subjects]])
    const own = await rows.query<{ organization_id: string }>(ownOrganizationsStatement, [accountId])
    await deleteOrganizations(
      rows,
      own.map(({ organization_id }) => organization_id),
    )
    await rows.query(invitationsStatement, [account.emails])
    await rows.query(signUpInvitationsStatement, [account.emails])
    await rows.query(requestsStatement, [account.emails])
    await rows.query(signUpLinksStatement, [account.emails])
    // A token refresh locks these tables in the same order.
    for (const statement of [tokensStatement, sessionsStatement, accountStatement])
      await rows.query(statement, [accountId])
    return recordErasure(rows, accountId)
  })
  if (erased) await appendToFile(settings, [erased])
  return erased !== undefined
}

async function recordErasure(rows: Rows, accountId: string): Promise<ErasureLine> {
  const [row] = await rows.query<ErasureLine>(recordStatement, [accountId])
  if (!row) throw new Error('The insert into erasure returned no row.')
  await recordAudit(rows, { action: 'account.erased', target: { kind: 'account', id: accountId } })
  return row
}

/** Appends to this node's file what other nodes have deleted. */
export async function completeErasuresFile(
  rows: Rows,
  settings: Pick<ErasureSettings, 'dataDir' | 'log'>,
): Promise<void> {
  const known = new Set((await readErasures(settings.dataDir)).map(({ accountId }) => accountId))
  const all = await rows.query<ErasureLine>(erasuresStatement, [])
  await appendToFile(
    settings,
    all.filter(({ accountId }) => !known.has(accountId)),
  )
}

/** If the write fails, a later run appends the missing lines: they are in the database. */
async function appendToFile({ dataDir, log }: Pick<ErasureSettings, 'dataDir' | 'log'>, lines: readonly ErasureLine[]) {
  await appendErasures(dataDir, lines).catch((error: unknown) =>
    log.warn({ err: error }, 'cannot write erasures.ndjson: a restored backup would bring deleted accounts back'),
  )
}

const dueStatement = {
  name: 'erasure_due',
  text: 'select id from account where erases_at <= now() order by erases_at limit $1',
}

const disableStatement = {
  name: 'erasure_again',
  text: `
update account set disabled_at = coalesce(disabled_at, now()), erase_requested_at = now(), erases_at = now() where id = $1`,
}

const lockOrganizationsStatement = {
  name: 'erasing_lock_organizations',
  text: `
select id from organization where id in (select organization_id from membership where account_id = $1)
order by id for update`,
}

/** $1 account. Emails are in lower case. */
const lockDueStatement = {
  name: 'erasing_lock',
  text: `
select array(select lower(e) from unnest(array[a.email, (select c.email from credential c where c.account_id = a.id)]) e
             where e is not null) as emails,
       array(select i.subject from identity i where i.account_id = a.id) as subjects
from account a
where a.id = $1 and a.erases_at <= now()
for update`,
}

/**
 * $1 account, $2 its emails. Events stay, with ids that no longer exist. They lose the account's IP address (but keep
 * that of an administrator), every member with one of its emails, and the reason an administrator gave for acting as
 * the user, which is free text.
 */
const auditStatement = {
  name: 'erasing_audit',
  text: `
update audit_event e
set address = case when e.actor_id is null or e.actor_id = $1::uuid then null else e.address end,
    details = (select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(e.details) d
               where not exists (select from unnest($2::text[]) m where strpos(lower(d.value::text), m) > 0)
                 and not (e.action = 'act_as.started' and d.key = 'reason'))
where e.id in (
  select id from audit_event where actor_id = $1::uuid
  union all
  select id from audit_event where target_kind = 'account' and target_id = $1::text)`,
}

/** The event of a stolen refresh token names the account only in its details. */
const reusedStatement = {
  name: 'erasing_audit_reused',
  text: `update audit_event set address = null where action = 'session.reused' and details ->> 'accountId' = $1::text`,
}

/**
 * Organizations that are deleted with account $1, because no other account is a member. An account that can still be
 * restored counts as a member.
 */
const ownOrganizationsStatement = {
  name: 'erasing_organizations',
  text: `
select m.organization_id from membership m
where m.account_id = $1 and not exists (
  select from membership o where o.organization_id = m.organization_id and o.account_id <> $1)`,
}

/** $1 account, $2 its id and subjects. The processor's customer id and the amounts are kept for accounting. */
const customersStatement = {
  name: 'erasing_customers',
  text: `
update customer c
set account_id = null, erased_at = now(), claim_kind = null, claim_value = null, claim_rank = null, claim_at = null
where c.account_id = $1
   or (c.claim_value = any ($2::text[]) and c.claim_kind in ('account', 'any') and num_nonnulls(c.account_id, c.organization_id) = 0)`,
}

const invitationsStatement = {
  name: 'erasing_invitations',
  text: 'delete from invitation where email = any ($1::text[])',
}

const signUpInvitationsStatement = {
  name: 'erasing_sign_up_invitations',
  text: 'delete from sign_up_invitation where email = any ($1::text[])',
}

/** Requests for a link that are not handled yet. */
const requestsStatement = {
  name: 'erasing_mail_requests',
  text: `
delete from mail_request where email is not null and lower(email) = any ($1::text[])`,
}

const signUpLinksStatement = {
  name: 'erasing_sign_up_links',
  text: 'delete from sign_up_link where email = any ($1::text[])',
}

const tokensStatement = {
  name: 'erasing_refresh_tokens',
  text: 'delete from refresh_token where session_id in (select id from session where account_id = $1)',
}

const sessionsStatement = { name: 'erasing_sessions', text: 'delete from session where account_id = $1' }

const accountStatement = { name: 'erasing_account', text: 'delete from account where id = $1' }

const recordStatement = {
  name: 'erasing_note',
  text: `
insert into erasure (account_id) values ($1)
on conflict (account_id) do update set erased_at = excluded.erased_at
returning account_id as "accountId", to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "erasedAt"`,
}

const erasuresStatement = {
  name: 'erasures',
  text: `
select account_id as "accountId", to_char(erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "erasedAt"
from erasure order by erased_at, account_id`,
}
