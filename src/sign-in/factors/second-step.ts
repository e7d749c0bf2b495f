import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Tokens } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { beginAttempt } from '../passwords/login-throttling.ts'
import type { Client } from '../sessions/client.ts'
import { issueTokens, originOf, type StartedSession, startSession } from '../sessions/sessions.ts'
import { spendChallenge, tryChallenge } from './challenges.ts'
import { spendStep, stepOfFactor } from './factors.ts'
import { spendRecoveryCode } from './recovery-codes.ts'

/** What is shown as the second proof: the code of a factor, or a recovery code. */
export type Proof = { readonly factorId: string; readonly code: string } | { readonly recoveryCode: string }

/**
 * The second step of a sign-in: opens the session. A wrong code counts like a wrong password.
 * Problems: `challenge_invalid` where the sign-in has to begin again, `code_refused`.
 */
export async function completeSignIn(
  issuer: BuiltInIssuer,
  challenge: Secret,
  proof: Proof,
  client: Client,
): Promise<Tokens> {
  const hash = opaqueTokenHash(challenge.open())
  const pending = (await tryChallenge(issuer.database, hash)) ?? refuse('challenge_invalid')
  const { accountId, email } = pending
  const attempt = await beginAttempt(issuer.database, email, client)
  const spend = await spenderOf(issuer, accountId, proof)
  const started = spend && attempt.mayTry && (await issuer.database.transaction((rows) => open(rows, spend)))
  if (started) return issueTokens(issuer, started)
  await attempt.fail(issuer.database)
  return refuseCode(issuer, accountId, client)

  /** All or nothing: a code that was used before leaves the challenge as it is. */
  async function open(rows: Rows, spendProof: Spender): Promise<StartedSession | undefined> {
    if (!(await spendProof(rows))) return undefined
    if (!(await spendChallenge(rows, hash))) return refuse('challenge_invalid')
    await attempt.succeed(rows)
    return startSession(issuer, rows, { accountId, amr: ['pwd', 'otp', 'mfa'], client })
  }
}

/** Uses the proof up; false where somebody was faster. */
type Spender = (rows: Rows) => Promise<boolean>

/** Nothing where the code is plainly wrong. */
async function spenderOf(issuer: BuiltInIssuer, accountId: string, proof: Proof): Promise<Spender | undefined> {
  if ('recoveryCode' in proof) return (rows) => spendRecoveryCode(rows, accountId, proof.recoveryCode)
  const { factorId, code } = proof
  const step = await stepOfFactor(issuer, { accountId, factorId, code, isVerified: true })
  return step === undefined ? undefined : (rows) => spendStep(rows, factorId, step)
}

async function refuseCode({ database }: BuiltInIssuer, accountId: string, client: Client): Promise<never> {
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(database, { action: 'session.refused', target, ...originOf(client), details: { step: 'second' } })
  return refuse('code_refused')
}
