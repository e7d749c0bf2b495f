import { DatabaseError } from 'pg'
import type { Rows } from '../platform/database/database.ts'
import type { Caller } from './caller.ts'
import { displacingTables } from './displacement.ts'
import { reservedPrefix } from './issuers/entries.ts'

/**
 * Makes the account of a subject seen for the first time, or links the subject to the account whose address is proved to be the same. An
 * account that bears a proved address without a proof loses it. Of many calls at once one does it, and the others do nothing: the identity is unique, and the foreign
 * key from it to the account is checked at the end of the statement. Nothing happens either for a subject that was removed
 * after its token was made. Source: docs/decisions/linking-accounts.md.
 */
export async function provision(rows: Rows, caller: Caller): Promise<void> {
  try {
    await insertAccount(rows, caller)
  } catch (error) {
    // Of two subjects that prove one address at once the second waits for the first, and finds its account now.
    if (!isTakenProof(error)) throw error
    await insertAccount(rows, caller)
  }
}

/** Whether the subject was removed after its token was made. */
export async function isRemoved(rows: Rows, { issuer, subject, issuedAtMs }: Caller): Promise<boolean> {
  const issuedAt = issuedAtMs === undefined ? null : new Date(issuedAtMs)
  return (await rows.query(removedStatement, [issuer, subject, issuedAt])).length > 0
}

function isTakenProof(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'account_proved_email'
}

async function insertAccount(rows: Rows, caller: Caller): Promise<void> {
  const { issuer, subject, email, session, issuedAtMs, emailTrusted } = caller
  await rows.query(provisionStatement, [
    issuer,
    subject,
    email ?? null,
    session ?? null,
    issuedAtMs === undefined ? null : new Date(issuedAtMs),
    emailTrusted && email !== undefined,
    reservedPrefix,
  ])
}

/**
 * Records the first session of an account that existed before its first sign-in. Of two concurrent first sessions one is recorded. Only
 * for other issuers; the built-in issuer records it when it opens the session.
 */
export async function openFirstSession(rows: Rows, accountId: string, session: string): Promise<void> {
  await rows.query(firstSessionStatement, [accountId, session])
}

/** $1 issuer, $2 subject. */
function removedSince(issuedAt: string): string {
  return `
    select from removed_identity r
    where r.hash = identity_hash($1, $2) and r.removed_at >= coalesce(${issuedAt}::timestamptz, '-infinity')`
}

/**
 * $1 issuer, $2 subject, $3 e-mail or null, $4 session or null, $5 when the token was made or null, $6 whether the issuer is
 * trusted for the address and calls it verified, $7 how the built-in issuer's names begin: its addresses are never verified.
 */
const provisionStatement = {
  name: 'provision',
  text: `
with same_address as (
  select a.id from account a where $6 and a.email_proved_at is not null and lower(a.email) = lower($3)
), found as (
  select id from same_address
  where not exists (select from identity i where i.account_id = same_address.id and starts_with(i.issuer, $7))
), link as (
  insert into identity (issuer, subject, account_id)
  select $1, $2, coalesce((select id from found), uuid_v7())
  where not exists (${removedSince('$5')})
  on conflict (issuer, subject) do nothing
  returning account_id
), noted as (
  insert into audit_event (action, target_kind, target_id, details)
  select 'account.linked', 'account', link.account_id::text, jsonb_build_object('issuer', $1::text)
  from link join found on found.id = link.account_id
),${displacingTables({ email: '$3', isProved: '$6 and exists (select from link)' })}
insert into account (id, email, email_proved_at, email_proved_by, first_session)
select account_id, $3, case when proves then now() end, case when proves then 'issuer' end, $4
from link, (select $6 and not exists (select from same_address) as proves) proof
where not exists (select from found)`,
}

const removedStatement = { name: 'identity_removed', text: removedSince('$3') }

const firstSessionStatement = {
  name: 'first_session',
  text: 'update account set first_session = $2 where id = $1 and first_session is null',
}
