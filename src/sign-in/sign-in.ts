import { recordAudit } from '../platform/audit/audit.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { Challenge, Tokens } from './contract/tokens.ts'
import { openChallenge } from './factors/challenges.ts'
import { verifiedFactors } from './factors/factors.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { beginAttempt } from './passwords/login-throttling.ts'
import { hashPassword, judgePassword } from './passwords/passwords.ts'
import { findPerson, normalizeEmail, type Person, replacePasswordHash } from './people.ts'
import type { Client } from './sessions/client.ts'
import { issueTokens, originOf, startSession } from './sessions/sessions.ts'
import { sweepNowAndThen } from './sessions/sweep.ts'

export interface Credentials {
  readonly email: string
  readonly password: Secret
}

/**
 * Opens a session, or asks for a second factor where the account has one. The same answer after the same work for an unknown
 * address, a wrong password, a disabled account and one that has to wait. Problem: `sign_in_refused`.
 */
export async function signIn(
  issuer: BuiltInIssuer,
  { email, password }: Credentials,
  client: Client,
): Promise<Tokens | Challenge> {
  const { database } = issuer
  const name = normalizeEmail(email)
  const attempt = await beginAttempt(database, name, client)
  const person = await findPerson(database, name)
  const verdict = await judgePassword(person?.passwordHash, password)
  if (verdict === 'unreadable')
    issuer.log.error({ accountId: person?.accountId }, 'a stored password hash cannot be read')
  const isRight = verdict === 'right' || verdict === 'outdated'
  if (!person || !isRight || person.isDisabled || !attempt.mayTry) {
    await attempt.fail(database)
    return refuseSignIn(issuer, person?.accountId, client)
  }

  if (verdict === 'outdated') await replacePasswordHash(database, person, await hashPassword(password))
  sweepNowAndThen(issuer)
  const factors = await verifiedFactors(database, person.accountId)
  if (factors.length > 0) {
    await attempt.giveBack(database)
    return openChallenge(issuer, person.accountId, factors)
  }
  const started = await database.transaction(async (rows) => {
    await attempt.succeed(rows)
    return startSession(issuer, rows, { accountId: person.accountId, amr: ['pwd'], client })
  })
  return issueTokens(issuer, started)
}

/** Noted without the address that was tried: somebody may have typed a password into that field. */
async function refuseSignIn(
  { database }: BuiltInIssuer,
  accountId: Person['accountId'] | undefined,
  client: Client,
): Promise<never> {
  const target = accountId === undefined ? undefined : ({ kind: 'account', id: accountId } as const)
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client) })
  return refuse('sign_in_refused')
}
