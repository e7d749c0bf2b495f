import { notify } from '../../identity/notify.ts'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { recordRefusal } from '../../platform/audit/refusals.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Allowed, allowOrRefuse, verifyOrReturnUnits } from '../sessions/allow.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { SignedIn } from '../sessions/contract.ts'
import type { CurrentSession } from '../sessions/current-session.ts'
import { endGuessingSession } from '../sessions/step-up-session.ts'
import { lockForSignIn, type ActiveAccount, type VerifiedState, type LockedAccount } from '../sessions/security-epoch.ts'
import { issueSignIn, startSession } from '../sessions/sessions.ts'
import { attemptChallenge, consumeChallenge, findChallenge } from './challenges.ts'
import type { AssertionCredential } from './proof-contract.ts'
import { consumeRecoveryCode, hasRecoveryCode, readRecoveryCodes } from './recovery-codes.ts'
import { consumeTimeStep, hasVerifiedFactor, verifyFactorCode } from './totp.ts'
import { type PasskeyUse, verifyPasskey } from './verify-passkey.ts'

/** A code of a factor, or a recovery code. */
export type CodeProof = { readonly factorId: string; readonly code: string } | { readonly recoveryCode: string }

/** The second proof of a sign-in: one of these, or the answer of a passkey. */
export type SecondProof = CodeProof | { readonly credential: AssertionCredential }

/** A proof that is right and not used up yet. */
export interface VerifiedProof {
  readonly decision: Allowed
  /** As a session names it (RFC 8176): a code, or possession of a key. */
  readonly method: 'otp' | 'pop'
  /** Uses it up. Returns false where that was done before. */
  consume(rows: Rows): Promise<boolean>
}

interface ProofAttempt {
  readonly accountId: string
  readonly proof: SecondProof
  /** What a passkey was asked for. */
  readonly purpose: 'second_step' | 'recovery'
  readonly client: Client
  /** Before the proof is judged. */
  readonly onAllowed?: () => Promise<void>
}

/**
 * Judges the second proof of an account, charged to the account. Problems: `sign_in_wait`; `code_refused` for a wrong one, and for the
 * code of a factor after too many wrong ones.
 */
export async function verifyProof(
  issuer: BuiltInIssuer,
  { accountId, proof, purpose, client, onAllowed }: ProofAttempt,
): Promise<VerifiedProof> {
  const { database } = issuer
  const decision = await allowOrRefuse(database, { kind: 'code', accountId, isOfApp: 'code' in proof })
  const consume = await verifyOrReturnUnits(database, decision, async () => {
    await onAllowed?.()
    return consumerOf(issuer, proof, { purpose, accountId }, client)
  })
  return consume ? { decision, method: methodOf(proof), consume } : refuseCode(issuer, accountId, client)
}

/** The same where an open session asks for it, charged to the session. Problems: `sign_in_wait`, `code_refused`. */
export async function verifyProofInSession(
  issuer: BuiltInIssuer,
  current: CurrentSession,
  proof: SecondProof,
  client: Client,
): Promise<VerifiedProof> {
  const { database } = issuer
  const { accountId, sessionId } = current
  const decision = await allowOrRefuse(database, { kind: 'session', sessionId })
  const use = { purpose: 'session', accountId, sessionId } as const
  const consume = await verifyOrReturnUnits(database, decision, () => consumerOf(issuer, proof, use, client))
  if (consume) return { decision, method: methodOf(proof), consume }
  await endGuessingSession(database, current, decision, client)
  return refuseCodeInSession(issuer, current, client)
}

/** Uses the proof up in the transaction of what it allows. Problem: `code_refused` where it was used meanwhile. */
export async function consumeInSession(rows: Rows, { decision, consume }: VerifiedProof): Promise<void> {
  if (!(await consume(rows))) refuse('code_refused')
  await decision.succeeded(rows)
}

interface SignInToComplete {
  /** What the first step proved, to be checked again under the lock. */
  readonly verifiedState: VerifiedState
  /** The same as the session names it. */
  readonly methods: readonly string[]
  readonly client: Client
  readonly deviceToken?: Secret | undefined
  /** Runs under the lock, after the proof is used up: uses up the challenge, or refuses. */
  readonly open: (rows: Rows, account: LockedAccount) => Promise<ActiveAccount>
  /** Refuses because the first step is not proved any more. */
  readonly refuseChanged: () => Promise<never>
}

/**
 * Opens the session, and uses up everything that it was opened with: all or nothing. Problems: those of `open` and `refuseChanged`;
 * `code_refused` if the proof was used meanwhile.
 */
export async function completeWithProof(
  issuer: BuiltInIssuer,
  { decision, method, consume }: VerifiedProof,
  { verifiedState: proved, methods, client, deviceToken, open, refuseChanged: refuseUnproved }: SignInToComplete,
): Promise<SignedIn> {
  const started = await issuer.database.transaction(async (rows) => {
    const account = await lockForSignIn(rows, proved)
    if (!account) return 'unproved'
    if (!(await consume(rows))) return 'used'
    const opened = await open(rows, account)
    await decision.succeeded(rows)
    return startSession(issuer, rows, opened, { amr: [...new Set([...methods, method, 'mfa'])], client, deviceToken })
  })
  if (started === 'unproved') return refuseUnproved()
  if (started === 'used') return refuseCode(issuer, proved.accountId, client)
  return issueSignIn(issuer, started)
}

/**
 * Whether the proof names a factor of the account, or is one of its recovery codes. Who does not know the password knows neither: the
 * ids of factors are random.
 */
export function isProofOf(rows: Rows, accountId: string, proof: CodeProof): Promise<boolean> {
  return 'recoveryCode' in proof
    ? hasRecoveryCode(rows, accountId, proof.recoveryCode)
    : hasVerifiedFactor(rows, accountId, proof.factorId)
}

/** `undefined` where the proof is wrong. */
async function consumerOf(
  issuer: BuiltInIssuer,
  proof: SecondProof,
  use: PasskeyUse & { readonly accountId: string },
  client: Client,
): Promise<VerifiedProof['consume'] | undefined> {
  if ('credential' in proof) return (await verifyPasskey(issuer, proof.credential, use, client))?.consume
  const { accountId } = use
  if ('recoveryCode' in proof) {
    if (!(await hasRecoveryCode(issuer.database, accountId, proof.recoveryCode))) return undefined
    return async (rows) => {
      if (!(await consumeRecoveryCode(rows, accountId, proof.recoveryCode))) return false
      const { recoveryCodesLeft } = await readRecoveryCodes(rows, accountId)
      const values = { left: String(recoveryCodesLeft) }
      await notify(issuer, rows, { accountId, kind: 'recoveryCodeUsed', values })
      return true
    }
  }
  const { factorId, code } = proof
  const accepted = await verifyFactorCode(issuer, { accountId, factorId, code, isVerified: true })
  return accepted && ((rows) => consumeTimeStep(rows, factorId, accepted))
}

function methodOf(proof: SecondProof): VerifiedProof['method'] {
  return 'credential' in proof ? 'pop' : 'otp'
}

async function refuseCodeInSession(
  { database }: BuiltInIssuer,
  { accountId }: CurrentSession,
  client: Client,
): Promise<never> {
  const target = { kind: 'account', id: accountId } as const
  await recordAudit(database, { action: 'code.refused', actorId: accountId, target, ...originOf(client) })
  return refuse('code_refused')
}

/** Records and refuses a wrong proof, or one that was used before. Problem: `code_refused`. */
export async function refuseCode({ database }: BuiltInIssuer, accountId: string, client: Client): Promise<never> {
  const target = { kind: 'account', id: accountId } as const
  await recordRefusal(database, { target, origin: originOf(client), step: 'second' })
  return refuse('code_refused')
}

export interface SecondStep {
  readonly challenge: Secret
  readonly proof: SecondProof
  readonly deviceToken?: Secret | undefined
}

/**
 * The second step of a sign-in: opens the session. Problems: `challenge_invalid` where the sign-in has to start again; `sign_in_wait`,
 * which leaves the challenge as it is; `code_refused`.
 */
export async function completeSignIn(
  issuer: BuiltInIssuer,
  { challenge, proof, deviceToken }: SecondStep,
  client: Client,
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const shown = await verifyProof(issuer, {
    accountId,
    proof,
    purpose: 'second_step',
    client,
    onAllowed: async () => {
      if (!(await attemptChallenge(database, hash))) refuse('challenge_invalid')
    },
  })
  return completeWithProof(issuer, shown, {
    verifiedState: { accountId },
    client,
    deviceToken,
    methods,
    // A code that was used before leaves the challenge as it is.
    open: async (rows, account) =>
      account.erasesAt === null && (await consumeChallenge(rows, hash)) ? account : refuse('challenge_invalid'),
    refuseChanged: async () => refuse('challenge_invalid'),
  })
}
