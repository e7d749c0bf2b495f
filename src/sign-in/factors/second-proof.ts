import { notify } from '../../identity/notify.ts'
import { recordRejectedSignIn } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import { opaqueTokenHash, type Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { reauthenticate, requirePassword } from '../passwords/current-password.ts'
import { refuseMember } from '../passwords/password-rules.ts'
import { type Allowed, allowOrRefuse, verifyOrReturnUnits } from '../sessions/allow.ts'
import { type Client, originOf, recordOwn } from '../sessions/client.ts'
import type { AccessToken, SignedIn } from '../sessions/contract.ts'
import { type CurrentSession, readCurrentSession, writeInSession } from '../sessions/current-session.ts'
import {
  type ActiveAccount,
  issueSignIn,
  type LockedAccount,
  lockForSignIn,
  mintAccessToken,
  startSession,
  type VerifiedState,
} from '../sessions/open-session.ts'
import { endGuessingSession, stepUpSession } from '../sessions/sessions.ts'
import { attemptChallenge, consumeChallenge, findChallenge } from './challenges.ts'
import type { AssertionCredential } from './passkey-contract.ts'
import { consumeRecoveryCode, hasRecoveryCode, readRecoveryCodes } from './recovery-codes.ts'
import { consumeTimeStep, hasVerifiedFactor, verifyFactorCode } from './totp.ts'
import { type PasskeyUse, verifyPasskey } from './verify-passkey.ts'

/** A code of a factor, or a recovery code. */
export type CodeProof = { readonly factorId: string; readonly code: string } | { readonly recoveryCode: string }

/** The second proof of a sign-in: a code, a recovery code or a passkey assertion. */
export type SecondProof = CodeProof | { readonly credential: AssertionCredential }

/** A correct proof that is not consumed yet. */
export interface VerifiedProof {
  readonly decision: Allowed
  /** The `amr` of the proof (RFC 8176): a code, or possession of a key. */
  readonly method: 'otp' | 'pop'
  /** Consumes the proof. Returns false if it was already consumed. */
  consume(rows: Rows): Promise<boolean>
}

interface ProofAttempt {
  readonly accountId: string
  readonly proof: SecondProof
  /** The purpose of the passkey challenge. */
  readonly purpose: 'second_step' | 'recovery'
  readonly client: Client
  /** Runs before the proof is verified. */
  readonly onAllowed?: () => Promise<void>
}

/**
 * Verifies the second proof of an account and charges the account. Problems: `sign_in_wait`; `code_refused` for a wrong
 * proof, and for any code of a factor after too many wrong ones.
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

/** At least one of the two is present, unless the session itself is enough. */
interface SessionProofs {
  readonly password?: Secret | undefined
  readonly proof?: SecondProof | undefined
}

/**
 * Verifies the password, the second proof or both in an open session, and charges the session once. With both, a correct
 * password alone gives nothing back: otherwise it would allow any number of codes. Problems: `sign_in_wait`,
 * `password_wrong`, `code_refused`.
 */
export async function verifyInSession(
  issuer: BuiltInIssuer,
  current: CurrentSession,
  { password, proof }: SessionProofs,
  client: Client,
): Promise<VerifiedProof | undefined> {
  const { database } = issuer
  const { accountId, sessionId } = current
  if (!proof) {
    if (password) await reauthenticate(issuer, current, password, client)
    return undefined
  }
  const decision = await allowOrRefuse(database, { kind: 'session', sessionId })
  if (password) await requirePassword(issuer, current, { password, decision }, client)
  const use = { purpose: 'session', accountId, sessionId } as const
  const consume = await verifyOrReturnUnits(database, decision, () => consumerOf(issuer, proof, use, client))
  if (consume) return { decision, method: methodOf(proof), consume }
  await endGuessingSession(database, current, decision, client)
  await recordOwn(database, { action: 'code.refused', accountId, client })
  return refuse('code_refused')
}

/**
 * Consumes the proof in the transaction of the change that it allows. Problem: `code_refused` if it was already
 * consumed.
 */
export async function consumeInSession(rows: Rows, { decision, consume }: VerifiedProof): Promise<void> {
  if (!(await consume(rows))) refuse('code_refused')
  await decision.succeeded(rows)
}

interface SignInToComplete {
  /** The state that the first step verified, checked again under the lock. */
  readonly verifiedState: VerifiedState
  /** The `amr` of the first step. */
  readonly methods: readonly string[]
  readonly client: Client
  readonly deviceToken?: Secret | undefined
  /** Runs under the lock after the proof is consumed. Consumes the challenge, or rejects. */
  readonly open: (rows: Rows, account: LockedAccount) => Promise<ActiveAccount>
  /** Rejects because the account changed after the first step. */
  readonly refuseChanged: () => Promise<never>
}

/**
 * Opens the session and consumes everything that opened it, in one transaction. Problems: those of `open` and
 * `refuseChanged`; `code_refused` if the proof was already consumed.
 */
export async function completeWithProof(
  issuer: BuiltInIssuer,
  { decision, method, consume }: VerifiedProof,
  { verifiedState, methods, client, deviceToken, open, refuseChanged }: SignInToComplete,
): Promise<SignedIn> {
  const started = await issuer.database.transaction(async (rows) => {
    const account = await lockForSignIn(rows, verifiedState)
    if (!account) return 'changed'
    if (!(await consume(rows))) return 'used'
    const opened = await open(rows, account)
    await decision.succeeded(rows)
    return startSession(issuer, rows, opened, { amr: [...new Set([...methods, method, 'mfa'])], client, deviceToken })
  })
  if (started === 'changed') return refuseChanged()
  if (started === 'used') return refuseCode(issuer, verifiedState.accountId, client)
  return issueSignIn(issuer, started)
}

/**
 * Whether the proof names a factor of the account or is one of its recovery codes. Factor ids are random, so that only
 * someone who knows the password knows them.
 */
export function isProofOf(rows: Rows, accountId: string, proof: CodeProof): Promise<boolean> {
  return 'recoveryCode' in proof
    ? hasRecoveryCode(rows, accountId, proof.recoveryCode)
    : hasVerifiedFactor(rows, accountId, proof.factorId)
}

/** Returns `undefined` if the proof is wrong. */
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

/** Records and rejects a wrong or already consumed proof. Problem: `code_refused`. */
export async function refuseCode({ database }: BuiltInIssuer, accountId: string, client: Client): Promise<never> {
  const target = { kind: 'account', id: accountId } as const
  await recordRejectedSignIn(database, { target, origin: originOf(client), step: 'second' })
  return refuse('code_refused')
}

export interface ChallengeAnswer {
  readonly challenge: Secret
  readonly proof: SecondProof
  readonly deviceToken?: Secret | undefined
}

/**
 * Completes a sign-in with its second step and opens the session. Problems: `challenge_invalid` if the sign-in must
 * start again; `sign_in_wait`, which keeps the challenge; `code_refused`.
 */
export function completeSignIn(issuer: BuiltInIssuer, answer: ChallengeAnswer, client: Client): Promise<SignedIn> {
  return answerChallenge(issuer, answer, client, {
    toKeep: false,
    open: async (_rows, account) => (account.erasesAt === null ? account : refuse('challenge_invalid')),
  })
}

/**
 * Completes the challenge of a first step. `toKeep`: the challenge restores an account that is scheduled for deletion.
 * Problems: those of `completeSignIn` and `open`.
 */
export async function answerChallenge(
  issuer: BuiltInIssuer,
  { challenge, proof, deviceToken }: ChallengeAnswer,
  client: Client,
  { toKeep, open }: Pick<SignInToComplete, 'open'> & { readonly toKeep: boolean },
): Promise<SignedIn> {
  const { database } = issuer
  const hash = opaqueTokenHash(challenge.open())
  const { accountId, methods } = (await findChallenge(database, hash)) ?? refuse('challenge_invalid')
  const onAllowed = async () => {
    if (!(await attemptChallenge(database, hash, { toKeep }))) refuse('challenge_invalid')
  }
  const verifiedProof = await verifyProof(issuer, { accountId, proof, purpose: 'second_step', client, onAllowed })
  return completeWithProof(issuer, verifiedProof, {
    verifiedState: { accountId },
    methods,
    client,
    deviceToken,
    // An already consumed code does not end the challenge.
    open: async (rows, account) =>
      (await consumeChallenge(rows, hash)) ? open(rows, account) : refuse('challenge_invalid'),
    refuseChanged: async () => refuse('challenge_invalid'),
  })
}

/**
 * Authenticates the user of an open session again. If the account has a second factor, the password alone is not
 * enough: it would renew the session's level without the factor.
 * Problems: those of `readCurrentSession`, `sign_in_wait`, `password_wrong`, `code_refused`, `factor_required`.
 */
export async function stepUp(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  { password, proof }: SessionProofs,
  client: Client,
): Promise<AccessToken> {
  const { database } = issuer
  const checked = await readCurrentSession(database, caller)
  if (!proof && checked.level.has_factor) refuse('factor_required')
  const verifiedProof = await verifyInSession(issuer, checked, { password, proof }, client)
  const session = await writeInSession(database, caller, async (rows, current) => {
    if (verifiedProof) await consumeInSession(rows, verifiedProof)
    const methods = [...(password ? ['pwd' as const] : []), ...(verifiedProof ? [verifiedProof.method] : [])]
    return stepUpSession(rows, current, methods, client)
  })
  return mintAccessToken(issuer, session)
}

/** The members of a body that can contain a proof. */
interface ProofMembers {
  readonly factorId?: string
  readonly code?: string
  readonly recoveryCode?: string
  readonly credential?: AssertionCredential
}

/** Returns `undefined` if the body has no proof. */
export function optionalProof(body: ProofMembers): SecondProof | undefined {
  return hasProof(body) ? proofOf(body) : undefined
}

/** Like `optionalProof`, without passkeys. */
export function optionalCode(body: Omit<ProofMembers, 'credential'>): CodeProof | undefined {
  return hasProof(body) ? codeOf(body) : undefined
}

/** Requires exactly one kind of proof, which the schema cannot express. */
export function proofOf({ credential, ...codes }: ProofMembers): SecondProof {
  if (credential === undefined) return codeOf(codes)
  return hasProof(codes) ? refuseProof() : { credential }
}

function codeOf({ factorId, code, recoveryCode }: Omit<ProofMembers, 'credential'>): CodeProof {
  if (recoveryCode !== undefined && factorId === undefined && code === undefined) return { recoveryCode }
  if (recoveryCode === undefined && factorId !== undefined && code !== undefined) return { factorId, code }
  return refuseProof()
}

function hasProof({ factorId, code, recoveryCode, credential }: ProofMembers): boolean {
  return [factorId, code, recoveryCode, credential].some((member) => member !== undefined)
}

function refuseProof(): never {
  return refuseMember('', 'must contain one proof: factorId and code, recoveryCode, or credential where it is allowed')
}
