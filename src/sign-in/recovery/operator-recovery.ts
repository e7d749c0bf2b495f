import { lockAccount } from '../../identity/lock-account.ts'
import { notify } from '../../identity/notify.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import { refuse } from '../../platform/problems.ts'
import { proveAddress } from '../addresses/prove-address.ts'
import { deleteChallenges } from '../factors/challenges.ts'
import { removeFactors } from '../factors/manage-factors.ts'
import { emptyAccountBuckets } from '../guessing/account-buckets.ts'
import { findSignInEmail, setEmail } from '../passwords/password-accounts.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { endAccountLinks } from './account-links.ts'

/** What operators do on the command line for users who cannot sign in. Each is to be called in a transaction. */

/** Ends every wait of the account, and the lock of its codes. */
export async function unlockAccount(rows: Rows, accountId: string): Promise<void> {
  await lockAccount(rows, accountId)
  await emptyAccountBuckets(rows, accountId)
  await recordAudit(rows, { action: 'account.unlocked', target: { kind: 'account', id: accountId } })
}

/**
 * Changes the address that the user signs in with, which is normalised. Sessions stay open; links end, also those that put an earlier
 * address back; a proved address before gets a mail. With `isProved` the operator vouches for the new one, and accounts that bear it
 * without a proof lose it; false where another one has proved it, and then the transaction has to be rolled back. Problem:
 * `password_missing`. Without `isProved` a taken address is the database's error 23505.
 */
export async function changeEmail(
  rows: Rows,
  { accountId, email, isProved, outbox }: OperatorsAddress,
): Promise<boolean> {
  await lockAccount(rows, accountId)
  const before =
    (await findSignInEmail(rows, accountId)) ??
    refuse('password_missing', { detail: 'The account signs in with another issuer: change its address there.' })
  if (email !== before) await notify({ outbox }, rows, { accountId, kind: 'emailSet', values: {} })
  if (isProved && !(await proveAddress(rows, accountId, email, 'operator'))) return false
  if (!isProved) await setEmail(rows, accountId, email)
  await endAccountLinks(rows, accountId, { alsoUndo: true })
  await recordAudit(rows, { action: 'account.email_changed', target: { kind: 'account', id: accountId } })
  return true
}

export interface OperatorsAddress {
  readonly accountId: string
  readonly email: string
  readonly isProved: boolean
  readonly outbox: Outbox | undefined
}

/**
 * Removes every factor and recovery code. The password alone then opens the account, so that all sessions start again with it, and the
 * owner of one that had a factor gets a mail.
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
