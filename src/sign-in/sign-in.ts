import { recordAudit } from '../platform/audit/audit.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { Challenge, Tokens } from './contract/tokens.ts'
import { createChallenge } from './factors/challenges.ts'
import { listFactorNames } from './factors/manage-factors.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { beginLoginAttempt } from './passwords/login-throttling.ts'
import { findPasswordAccount, normalizeEmail, replacePasswordHash } from './passwords/password-accounts.ts'
import { hashPassword, isCorrect, verifyPassword } from './passwords/passwords.ts'
import { type Client, originOf } from './sessions/client.ts'
import { deleteExpiredInBackground } from './sessions/delete-expired.ts'
import { issueTokens, startSession } from './sessions/sessions.ts'

export interface Credentials {
  readonly email: string
  readonly password: Secret
}

/**
 * Opens a session, or returns a challenge where the account has a second factor. The response and the work are the same for an
 * unknown address, a wrong password, a disabled account and a throttled one. Problem: `sign_in_refused`.
 */
export async function signIn(
  issuer: BuiltInIssuer,
  credentials: Credentials,
  client: Client,
): Promise<Tokens | Challenge> {
  const { database } = issuer
  const { password } = credentials
  const email = normalizeEmail(credentials.email)
  const attempt = await beginLoginAttempt(database, email, client)
  const account = await findPasswordAccount(database, email)
  const result = await verifyPassword(account?.passwordHash, password)
  if (result === 'unreadable')
    issuer.log.error({ accountId: account?.accountId }, 'a stored password hash is unreadable')
  if (!account || !isCorrect(result) || account.isDisabled || !attempt.isAllowed) {
    await attempt.fail(database)
    return refuseSignIn(issuer, account?.accountId, client)
  }

  const { accountId } = account
  if (result === 'needs_rehash') await replacePasswordHash(database, account, await hashPassword(password))
  deleteExpiredInBackground(issuer)
  const factors = await listFactorNames(database, accountId)
  if (factors.length > 0) {
    await attempt.release(database)
    return createChallenge(issuer, accountId, factors)
  }
  const started = await database.transaction(async (rows) => {
    await attempt.succeed(rows)
    return startSession(issuer, rows, { accountId, amr: ['pwd'], client })
  })
  return issueTokens(issuer, started)
}

/** The audit event does not contain the address that was sent: users sometimes type a password into that field. */
async function refuseSignIn(
  { database }: BuiltInIssuer,
  accountId: string | undefined,
  client: Client,
): Promise<never> {
  const target = accountId === undefined ? undefined : ({ kind: 'account', id: accountId } as const)
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client) })
  return refuse('sign_in_refused')
}
