import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Tokens } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { beginLoginAttempt } from '../passwords/login-throttling.ts'
import { type Client, originOf } from '../sessions/client.ts'
import { issueTokens, type StartedSession, startSession } from '../sessions/sessions.ts'
import { attemptChallenge, consumeChallenge } from './challenges.ts'
import { consumeTimeStep, verifyFactorCode } from './factor-codes.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'

/** The second proof of a sign-in: the code of a factor, or a recovery code. */
export type SecondProof = { readonly factorId: string; readonly code: string } | { readonly recoveryCode: string }

/**
 * The second step of a sign-in: opens the session. A wrong code counts towards login throttling like a wrong password.
 * Problems: `challenge_invalid` where the sign-in has to start again, `code_refused`.
 */
export async function completeSignIn(
  issuer: BuiltInIssuer,
  challenge: Secret,
  proof: SecondProof,
  client: Client,
): Promise<Tokens> {
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, email } = (await attemptChallenge(issuer.database, hash)) ?? refuse('challenge_invalid')
  const attempt = await beginLoginAttempt(issuer.database, email, client)
  const consume = await consumerOf(issuer, accountId, proof)
  const started = consume && attempt.isAllowed && (await issuer.database.transaction((rows) => start(rows, consume)))
  if (started) return issueTokens(issuer, started)
  await attempt.fail(issuer.database)
  return refuseCode(issuer, accountId, client)

  /** All or nothing: a code that was used before leaves the challenge as it is. */
  async function start(rows: Rows, consumeProof: Consumer): Promise<StartedSession | undefined> {
    if (!(await consumeProof(rows))) return undefined
    if (!(await consumeChallenge(rows, hash))) return refuse('challenge_invalid')
    await attempt.succeed(rows)
    return startSession(issuer, rows, { accountId, amr: ['pwd', 'otp', 'mfa'], client })
  }
}

/** Uses the proof up. Returns false where it was used before. */
type Consumer = (rows: Rows) => Promise<boolean>

/** `undefined` where the code of a factor is wrong. A recovery code is compared when it is consumed. */
async function consumerOf(issuer: BuiltInIssuer, accountId: string, proof: SecondProof): Promise<Consumer | undefined> {
  if ('recoveryCode' in proof) return (rows) => consumeRecoveryCode(rows, accountId, proof.recoveryCode)
  const { factorId, code } = proof
  const step = await verifyFactorCode(issuer, { accountId, factorId, code, isVerified: true })
  return step === undefined ? undefined : (rows) => consumeTimeStep(rows, factorId, step)
}

async function refuseCode({ database }: BuiltInIssuer, accountId: string, client: Client): Promise<never> {
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client), details: { step: 'second' } })
  return refuse('code_refused')
}
