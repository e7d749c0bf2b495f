import { notify } from '../../identity/notify.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Allowed, allowOrRefuse, verifyOrReturnUnits } from '../sessions/allow.ts'
import { type Client, recordOwn } from '../sessions/client.ts'
import { type CurrentSession, readCurrentSession, writeInSession } from '../sessions/current-session.ts'
import { deleteChallenges, endAccountLinks, endGuessingSession, endSessionsOf } from '../sessions/sessions.ts'
import { hashingLane } from './hashing-queue.ts'
import { findPasswordAccount, type PasswordAccount, replacePasswordHash } from './password-accounts.ts'
import { refuseMember, requireAcceptablePassword, rulesForAccount } from './password-rules.ts'
import { hashPassword, isCorrect, verifyPassword } from './passwords.ts'

/**
 * Verifies the password again before a change that needs more than an open session (ASVS 7.5.1). Charges the session.
 * Problems: `sign_in_wait`, `password_wrong`.
 */
export async function reauthenticate(
  issuer: BuiltInIssuer,
  current: CurrentSession,
  password: Secret,
  client: Client,
): Promise<PasswordAccount> {
  const decision = await allowOrRefuse(issuer.database, { kind: 'session', sessionId: current.sessionId })
  const account = await requirePassword(issuer, current, { password, decision }, client)
  await decision.succeeded(issuer.database)
  return account
}

/** Verifies the password of an attempt that was charged before, and returns no unit. Problem: `password_wrong`. */
export async function requirePassword(
  { database, hashing }: BuiltInIssuer,
  { accountId, sessionId, email = '' }: CurrentSession,
  { password, decision }: { readonly password: Secret; readonly decision: Allowed },
  client: Client,
): Promise<PasswordAccount> {
  const account = await findPasswordAccount(database, email)
  const result = await verifyOrReturnUnits(database, decision, () =>
    hashing.run(hashingLane(client, { isKnown: true }), () => verifyPassword(account?.passwordHash, password)),
  )
  if (account && isCorrect(result)) return account
  await recordOwn(database, { action: 'password.refused', accountId, client })
  await endGuessingSession(database, { accountId, sessionId }, decision, client)
  return refuse('password_wrong')
}

/**
 * Changes the caller's password and ends every other session of the account.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, and `input_invalid` for an unacceptable
 * new password.
 */
export async function changePassword(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { current: currentPassword, next: newPassword }: { readonly current: Secret; readonly next: Secret },
  client: Client,
): Promise<void> {
  const ofInitialPassword = { withInitialPassword: true }
  const current = await readCurrentSession(issuer.database, caller, ofInitialPassword)
  const rules = await rulesForAccount(issuer.database, current.accountId, issuer.settings)
  const { breached } = issuer
  await requireAcceptablePassword(newPassword, current.email ?? '', { rules, breached, pointer: '/newPassword' })
  if (newPassword.open() === currentPassword.open())
    refuseMember('/newPassword', 'must differ from the current password')
  const account = await reauthenticate(issuer, current, currentPassword, client)
  const passwordHash = await issuer.hashing.run(hashingLane(client, { isKnown: true }), () => hashPassword(newPassword))
  const replace = async (rows: Rows, { accountId, sessionId }: CurrentSession) => {
    // A concurrent change was faster, so that this one was confirmed with an outdated password.
    if (!(await replacePasswordHash(rows, account, passwordHash))) refuse('password_wrong')
    await endSessionsOf(rows, accountId, { except: sessionId })
    await deleteChallenges(rows, accountId)
    await endAccountLinks(rows, accountId)
    await recordOwn(rows, { action: 'password.changed', accountId, client })
    await notify(issuer, rows, { accountId, kind: 'passwordChanged', values: {} })
  }
  await writeInSession(issuer.database, caller, replace, ofInitialPassword)
}
