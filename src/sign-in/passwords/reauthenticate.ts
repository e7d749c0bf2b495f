import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { CurrentSession } from '../sessions/current-session.ts'
import { beginLoginAttempt } from './login-throttling.ts'
import { findPasswordAccount, type PasswordAccount } from './password-accounts.ts'
import { isCorrect, verifyPassword } from './passwords.ts'

/**
 * Verifies the password again before a change that an open session alone must not allow (ASVS 7.5.1). Failures count towards
 * login throttling. Problem: `password_wrong`.
 */
export async function reauthenticate(
  { database }: BuiltInIssuer,
  { accountId, email = '' }: CurrentSession,
  password: Secret,
  client: Client,
): Promise<PasswordAccount> {
  const attempt = await beginLoginAttempt(database, email, client)
  const account = await findPasswordAccount(database, email)
  const result = await verifyPassword(account?.passwordHash, password)
  if (!account || !isCorrect(result) || !attempt.isAllowed) {
    await attempt.fail(database)
    const target = { kind: 'account', id: accountId } as const
    await recordAudit(database, { action: 'password.refused', actorId: accountId, target, ...originOf(client) })
    return refuse('password_wrong')
  }
  await attempt.release(database)
  return account
}
