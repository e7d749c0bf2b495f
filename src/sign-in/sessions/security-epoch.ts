import { isKeepable } from '../../identity/erasure.ts'
import type { Rows } from '../../platform/database/database.ts'

/** What a sign-in proved before the account was locked. */
export interface VerifiedState {
  readonly accountId: string
  /** The epoch that was read together with the password hash or the passkey. A challenge needs none: it is used up under the lock. */
  readonly securityEpoch?: number
  /** The hash that the password was compared with. */
  readonly passwordHash?: string
}

/** An account without a pending deletion. It is locked until the transaction ends, and a session may be opened for it. */
export interface ActiveAccount {
  readonly accountId: string
  readonly erasesAt: null
}

export type LockedAccount =
  /** `hasFactor`: a second factor can complete the sign-in. */
  | (ActiveAccount & { readonly hasFactor: boolean })
  /** The account is deleted at this time. Until then its owner can keep it, and do nothing else. */
  | { readonly accountId: string; readonly erasesAt: Date }

/**
 * Locks the account until the transaction ends, and then checks what the sign-in proved before: sessions and challenges are only written
 * after this check. Returns undefined if the account is gone, disabled or its password expired, if another hash is stored, or if the
 * epoch was raised: by a change of password, address or factors, a recovery, a disabling or a deletion.
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
 * $1 account, $2 epoch or null, $3 password hash or null. After waiting for a lock, PostgreSQL reads the locked row again and the others as
 * they were before: whatever changes the password, the address or the factors also raises the epoch, which is in the locked row.
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
 * Ends the links of the account, also one that is made at the same moment: with each change of how the owner signs in. The links that put
 * an earlier address back stay: otherwise a thief would change the password too, and the owner could undo nothing.
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

/** After a change of the password, a sign-in that passed its first step with the old one has to start again. */
export async function deleteChallenges(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteChallengesStatement, [accountId])
}

const deleteChallengesStatement = {
  name: 'challenges_delete',
  text: `
with passkeys as (delete from webauthn_challenge where account_id = $1)
delete from sign_in_challenge where account_id = $1`,
}
