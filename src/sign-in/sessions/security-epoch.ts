import { isKeepable } from '../../identity/erasure.ts'
import type { Rows } from '../../platform/database/database.ts'

/** The state of the account that a sign-in was verified against, before the account was locked. */
export interface VerifiedState {
  readonly accountId: string
  /**
   * The epoch that was read together with the password hash or the passkey. Absent for a challenge, which is consumed
   * under the lock.
   */
  readonly securityEpoch?: number
  /** The hash that the password was compared with. */
  readonly passwordHash?: string
}

/** An account without a pending deletion, locked until the transaction ends. A session may be opened for it. */
export interface ActiveAccount {
  readonly accountId: string
  readonly erasesAt: null
}

export type LockedAccount =
  | (ActiveAccount & { readonly hasFactor: boolean })
  /** The account is deleted at this time. Until then its owner can only restore it. */
  | { readonly accountId: string; readonly erasesAt: Date }

/**
 * Locks the account until the transaction ends, and then checks that nothing changed since the sign-in was verified.
 * All sessions and challenges are created after this check. Returns `undefined` if the account is deleted or disabled,
 * its password has expired, its hash was replaced, or its epoch was raised: by a change of password, email or factors,
 * a recovery, a disabling or a deletion.
 */
export async function lockForSignIn(
  rows: Rows,
  { accountId, securityEpoch, passwordHash }: VerifiedState,
): Promise<LockedAccount | undefined> {
  const values = [accountId, securityEpoch ?? null, passwordHash ?? null]
  const [account] = await rows.query<LockedAccount>(provedStatement, values)
  return account
}

/**
 * $1 account, $2 epoch or null, $3 password hash or null. After waiting for the lock, PostgreSQL reads only the locked
 * row again. The epoch is in that row, so it reveals changes in other tables.
 */
const provedStatement = {
  name: 'account_proved',
  text: `
with a as materialized (
  select id, disabled_at, erases_at, erase_requested_at, security_epoch from account where id = $1 for no key update
)
select a.id as "accountId", a.erases_at as "erasesAt",
       exists (select from second_factor f where f.account_id = a.id) as "hasFactor"
from a
left join credential c on c.account_id = a.id
where (a.disabled_at is null or ${isKeepable})
  and coalesce(c.initial_until > clock_timestamp(), true)
  and ($2::int is null or a.security_epoch = $2)
  and ($3::text is null or c.password = $3)`,
}

/**
 * Deletes the account's links and raises its epoch, which invalidates links that are created concurrently. Called for
 * every change of how the owner signs in. Keeps the links that undo an email change unless `alsoUndo` is set: otherwise
 * a thief could change the password and the owner could undo nothing.
 */
export async function endAccountLinks(
  rows: Rows,
  accountId: string,
  { alsoUndo = false }: { readonly alsoUndo?: boolean } = {},
): Promise<void> {
  await rows.query(endLinksStatement, [accountId, alsoUndo ? [] : ['email_undo']])
}

const endLinksStatement = {
  name: 'account_links_end',
  text: `
with raised as (update account set security_epoch = security_epoch + 1 where id = $1)
delete from account_link where account_id = $1 and purpose <> all ($2::text[])`,
}

/** Deletes open challenges, so that a sign-in that passed its first step with the old password must start again. */
export async function deleteChallenges(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteChallengesStatement, [accountId])
}

const deleteChallengesStatement = {
  name: 'challenges_delete',
  text: `
with passkeys as (delete from webauthn_challenge where account_id = $1)
delete from sign_in_challenge where account_id = $1`,
}
