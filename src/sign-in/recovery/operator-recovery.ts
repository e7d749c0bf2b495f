import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { deleteChallenges } from '../factors/challenges.ts'
import { removeFactors } from '../factors/manage-factors.ts'
import { emptyAccountBuckets } from '../guessing/account-buckets.ts'
import { lockAccount } from '../lock-account.ts'
import { setEmail } from '../passwords/password-accounts.ts'
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
 * Changes the address that the user signs in with, which is normalised. Sessions stay open; links end. Problem: `password_missing`. A
 * taken address is the database's error 23505.
 */
export async function changeEmail(rows: Rows, accountId: string, email: string): Promise<void> {
  await lockAccount(rows, accountId)
  if (!(await setEmail(rows, accountId, email)))
    refuse('password_missing', { detail: 'The account signs in with another issuer: change its address there.' })
  await endAccountLinks(rows, accountId)
  await recordAudit(rows, { action: 'account.email_changed', target: { kind: 'account', id: accountId } })
}

/** Removes every factor and recovery code. The password alone then opens the account, so that all sessions start again with it. */
export async function resetFactors(rows: Rows, accountId: string): Promise<void> {
  await lockAccount(rows, accountId)
  await removeFactors(rows, accountId)
  await emptyAccountBuckets(rows, accountId)
  await endSessionsOf(rows, accountId)
  await deleteChallenges(rows, accountId)
  await endAccountLinks(rows, accountId)
  await recordAudit(rows, { action: 'factors.reset', target: { kind: 'account', id: accountId } })
}
