import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Allowed, allowOrRefuse, verifyOrReturnUnits } from '../sessions/allow.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { CurrentSession } from '../sessions/current-session.ts'
import { endGuessingSession } from '../sessions/step-up-session.ts'
import { hashingLane } from './hashing-queue.ts'
import { findPasswordAccount, type PasswordAccount } from './password-accounts.ts'
import { isCorrect, verifyPassword } from './passwords.ts'

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
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(database, { action: 'password.refused', actorId: accountId, target, ...originOf(client) })
  await endGuessingSession(database, { accountId, sessionId }, decision, client)
  return refuse('password_wrong')
}
