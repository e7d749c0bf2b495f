import { DatabaseError } from 'pg'
import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { displacementCtes } from './displacement.ts'
import { reservedPrefix } from './issuers/names.ts'

/**
 * Creates the account of a new subject, or links the subject to the account with the same verified email. Two subjects
 * of one issuer are linked only if its entry sets `joinSubjects`; otherwise the second gets a separate account with an
 * unverified email, and an audit event is written. Other accounts lose the same unverified email.
 * Concurrent calls for one subject create one account: the identity is unique, and its foreign key is checked at the
 * end of the statement. Does nothing for a subject that was removed after its token was issued.
 * Source: docs/decisions/verified-emails.md.
 */
export async function provision(rows: Rows, caller: UserCaller): Promise<void> {
  try {
    await insertAccount(rows, caller)
  } catch (error) {
    // Two subjects verified one email at the same time. The retry finds the account of the first.
    if (!isTakenProof(error)) throw error
    await insertAccount(rows, caller)
  }
}

/**
 * Takes the name in the token, unless somebody has set the name here or another issuer has named the user. Only a newer
 * token changes the name: an older one may still be in use on another device.
 */
export async function updateName(rows: Rows, { issuer, subject, displayName, issuedAtMs }: UserCaller): Promise<void> {
  const issuedAt = issuedAtMs === undefined ? null : new Date(issuedAtMs)
  await rows.query(nameStatement, [issuer, subject, displayName ?? null, issuedAt])
}

/**
 * Counts, up to 100, accounts whose email another account of the same issuer has verified. The address may have been
 * reassigned to a new user.
 */
export async function countTakenEmails(rows: Rows): Promise<number> {
  const [found] = await rows.query<{ count: number }>(takenStatement, [])
  return found?.count ?? 0
}

/** Whether the subject was removed after its token was issued. */
export async function isRemoved(rows: Rows, { issuer, subject, issuedAtMs }: UserCaller): Promise<boolean> {
  const issuedAt = issuedAtMs === undefined ? null : new Date(issuedAtMs)
  return (await rows.query(removedStatement, [issuer, subject, issuedAt])).length > 0
}

function isTakenProof(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'account_proved_email'
}

async function insertAccount(rows: Rows, caller: UserCaller): Promise<void> {
  const { issuer, subject, email, issuedAtMs, emailTrusted, joinSubjects = false, displayName } = caller
  await rows.query(provisionStatement, [
    issuer,
    subject,
    email ?? null,
    issuedAtMs === undefined ? null : new Date(issuedAtMs),
    emailTrusted && email !== undefined,
    reservedPrefix,
    joinSubjects,
    displayName ?? null,
  ])
}

/** $1 issuer, $2 subject. */
function removedSince(issuedAt: string): string {
  return `
    select from removed_identity r
    where r.hash = identity_hash($1, $2) and r.removed_at >= coalesce(${issuedAt}::timestamptz, '-infinity')`
}

/**
 * $1 issuer, $2 subject, $3 email or null, $4 time of issue or null, $5 whether the issuer is trusted for emails and
 * marks this one as verified, $6 prefix of the built-in issuer's names, whose emails are never linked, $7
 * `joinSubjects`, $8 name or null.
 * The lock makes two subjects of one issuer wait for each other; `has_identity_of` then sees what the first one
 * committed.
 */
const provisionStatement = {
  name: 'provision',
  text: `
with same_address as materialized (
  select a.id from account a
  where $5 and a.email_proved_at is not null and lower(a.email) = lower($3)
  for no key update
), holder as materialized (
  select id, has_identity_of($1, id) as is_of_issuer from same_address
), found as (
  select id from holder
  where ($7 or not is_of_issuer)
    and not exists (select from identity i where i.account_id = holder.id and starts_with(i.issuer, $6))
), link as (
  insert into identity (issuer, subject, account_id)
  select $1, $2, coalesce((select id from found), uuid_v7())
  where not exists (${removedSince('$4')})
  on conflict (issuer, subject) do nothing
  returning account_id
), linked_event as (
  insert into audit_event (action, target_kind, target_id, details)
  select 'account.linked', 'account', link.account_id::text, jsonb_build_object('issuer', $1::text)
  from link join found on found.id = link.account_id
), taken as (
  select link.account_id, holder.id as holder_id from link, holder
  where holder.is_of_issuer and not exists (select from found)
), taken_event as (
  insert into audit_event (action, target_kind, target_id, details)
  select 'account.email_taken', 'account', account_id::text, jsonb_build_object('issuer', $1::text, 'accountId', holder_id)
  from taken
),${displacementCtes({ email: '$3', isProved: '$5 and exists (select from link) and not exists (select from taken)' })}
insert into account (id, email, email_proved_at, email_proved_by, display_name, display_name_issuer, display_name_issued_at)
select account_id, $3, case when proves then now() end, case when proves then 'issuer' end,
       name, case when name is not null then $1 end, case when name is not null then coalesce($4, '-infinity') end
from link, (select $5 and not exists (select from same_address) as proves, $8::text as name) new
where not exists (select from found)`,
}

const nameStatement = {
  name: 'account_name_of_issuer',
  text: `
update account a
set display_name = $3, display_name_issuer = $1, display_name_issued_at = coalesce($4::timestamptz, '-infinity')
from identity i
where i.issuer = $1 and i.subject = $2 and a.id = i.account_id
  and (a.display_name is null or (a.display_name_issuer = $1 and a.display_name_issued_at < $4))`,
}

const takenStatement = {
  name: 'emails_taken',
  text: `
select count(*)::int as count from (
  select e.target_id from audit_event e
  join account a on a.id = e.target_id::uuid and a.email_proved_at is null
  join account holder on holder.id = (e.details ->> 'accountId')::uuid and holder.email_proved_at is not null
    and lower(holder.email) = lower(a.email)
  where e.action = 'account.email_taken'
  limit 100) taken`,
}

const removedStatement = { name: 'identity_removed', text: removedSince('$3') }
