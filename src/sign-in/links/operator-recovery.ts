import { lockAccount } from '../../identity/lock-account.ts'
import { notify } from '../../identity/notify.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import { removeFactors } from '../factors/factor-rows.ts'
import { findSignInEmail, setEmail, verifyEmail } from '../passwords/password-accounts.ts'
import { emptyAccountBuckets } from '../sessions/account-buckets.ts'
import { deleteChallenges, endAccountLinks, endSessionsOf } from '../sessions/sessions.ts'

/** Commands of operators for users who cannot sign in. Call each in a transaction. */

/** Clears all rate limits of the account, including the lock of its codes. */
export async function unlockAccount(rows: Rows, accountId: string): Promise<void> {
  await lockAccount(rows, accountId)
  await emptyAccountBuckets(rows, accountId)
  await recordAudit(rows, { action: 'account.unlocked', target: { kind: 'account', id: accountId } })
}

/**
 * Changes the email that the user signs in with; `email` is normalized. Sessions stay open. Links end, including undo
 * links. The previous email gets a mail if it was verified. `isProved`: the operator vouches for the new email, and
 * accounts that have it unverified lose it. Returns false if another account has verified the email: then roll the
 * transaction back. Problem: `password_missing`. Without `isProved`, a taken email is database error 23505.
 */
export async function changeEmail(
  rows: Rows,
  { accountId, email, isProved, outbox }: NewSignInEmail,
): Promise<boolean> {
  await lockAccount(rows, accountId)
  const before =
    (await findSignInEmail(rows, accountId)) ??
    refuse('password_missing', { detail: 'The account signs in with another issuer. Change its email there.' })
  if (email !== before) await notify({ outbox }, rows, { accountId, kind: 'emailSet', values: {} })
  if (isProved && !(await verifyEmail(rows, accountId, email, 'operator'))) return false
  if (!isProved) await setEmail(rows, accountId, email)
  await endAccountLinks(rows, accountId, { alsoUndo: true })
  await recordAudit(rows, { action: 'account.email_changed', target: { kind: 'account', id: accountId } })
  return true
}

interface NewSignInEmail {
  readonly accountId: string
  readonly email: string
  readonly isProved: boolean
  readonly outbox: Outbox | undefined
}

/**
 * Removes every factor and recovery code. The password alone then opens the account, so that all sessions end. If the
 * account had a factor, its owner gets a mail.
 */
export async function resetFactors(rows: Rows, accountId: string, outbox: Outbox | undefined): Promise<void> {
  await lockAccount(rows, accountId)
  const hadFactor = await removeFactors(rows, accountId)
  await emptyAccountBuckets(rows, accountId)
  await endSessionsOf(rows, accountId)
  await deleteChallenges(rows, accountId)
  await endAccountLinks(rows, accountId)
  if (hadFactor) await notify({ outbox }, rows, { accountId, kind: 'factorChanged', values: {} })
  await recordAudit(rows, { action: 'factors.reset', target: { kind: 'account', id: accountId } })
}
