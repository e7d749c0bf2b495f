import type { Caller } from '../../identity/caller.ts'
import { notify } from '../../identity/notify.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { deleteChallenges } from '../factors/challenges.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { lockAccount } from '../lock-account.ts'
import { endAccountLinks } from '../recovery/account-links.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { readCurrentSession } from '../sessions/current-session.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { replacePasswordHash } from './password-accounts.ts'
import { refuseNewPassword, requireAcceptablePassword, rulesOf } from './password-rules.ts'
import { hashPassword } from './passwords.ts'
import { reauthenticate } from './reauthenticate.ts'

/**
 * Changes the caller's password and ends every other session of the account.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, and `input_invalid` for an unacceptable new password.
 */
export async function changePassword(
  issuer: BuiltInIssuer,
  caller: Caller,
  { currentPassword, newPassword }: { readonly currentPassword: Secret; readonly newPassword: Secret },
  client: Client,
): Promise<void> {
  const current = await readCurrentSession(issuer.database, caller, { withInitialPassword: true })
  const rules = await rulesOf(issuer.database, current.accountId, issuer.settings)
  const { breached } = issuer
  await requireAcceptablePassword(newPassword, current.email ?? '', { rules, breached, pointer: '/newPassword' })
  if (newPassword.open() === currentPassword.open())
    refuseNewPassword('/newPassword', 'must differ from the current password')
  const account = await reauthenticate(issuer, current, currentPassword, client)
  const passwordHash = await issuer.hashing.run({ isKnown: true }, () => hashPassword(newPassword))
  await issuer.database.transaction(async (rows) => {
    await lockAccount(rows, current.accountId)
    // Of two concurrent changes, the second was confirmed with a password that is no longer the current one.
    if (!(await replacePasswordHash(rows, account, passwordHash))) refuse('password_wrong')
    await endSessionsOf(rows, current.accountId, { except: current.sessionId })
    await deleteChallenges(rows, current.accountId)
    await endAccountLinks(rows, current.accountId)
    const target = { kind: 'account', id: current.accountId } as const
    await recordAudit(rows, { action: 'password.changed', actorId: current.accountId, target, ...originOf(client) })
    await notify(issuer, rows, { accountId: current.accountId, kind: 'passwordChanged', values: {} })
  })
}
