import { recordRejectedSignIn } from '../platform/audit/audit.ts'
import { normalizeEmail } from '../platform/email.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import { createChallenge, refuseScheduledDeletion } from './factors/challenges.ts'
import type { Challenge } from './factors/contract.ts'
import { listFactorNames } from './factors/factor-rows.ts'
import {
  type CodeProof,
  completeWithProof,
  isProofOf,
  type VerifiedProof,
  verifyProof,
} from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { hashingLane } from './passwords/hashing-queue.ts'
import { findPasswordAccount, type PasswordAccount, upgradePasswordHash } from './passwords/password-accounts.ts'
import { comparisonsOf, hashPassword, isCorrect, verifyPassword } from './passwords/passwords.ts'
import {
  type Allowed,
  allow,
  type CallLimits,
  type Decision,
  type Refused,
  readAttemptLimits,
  refuseAttempt,
  verifyOrReturnUnits,
} from './sessions/allow.ts'
import { failuresMax } from './sessions/buckets.ts'
import { type Client, originOf, revokeDevice } from './sessions/client.ts'
import type { SignedIn } from './sessions/contract.ts'
import { issueSignIn, lockForSignIn, startSession } from './sessions/open-session.ts'

interface Credentials {
  readonly email: string
  readonly password: Secret
  readonly deviceToken?: Secret | undefined
  /** Sent together with the password: completes the sign-in in one request, also during a rate limit. */
  readonly proof?: CodeProof | undefined
}

/**
 * Opens a session, or returns a challenge if the account has a second factor. The response is the same for an unknown
 * email, a wrong password and a disabled account.
 * Problems: `sign_in_refused`; `rate_limited` and `sign_in_wait`, before the password is verified; `code_refused`;
 * `overloaded`, before any statement unless a device token was sent; `account_erasing` after a correct password.
 */
export async function signIn(
  issuer: BuiltInIssuer,
  credentials: Credentials,
  client: Client,
  calls: CallLimits,
): Promise<SignedIn | Challenge> {
  const { database, hashing } = issuer
  const normalized = { ...credentials, email: normalizeEmail(credentials.email) }
  const attempt = {
    kind: 'sign-in',
    email: normalized.email,
    client,
    deviceToken: credentials.deviceToken,
    calls,
  } as const
  // Without a device token the client is unknown, and no statement runs before its turn.
  const limits = attempt.deviceToken && (await readAttemptLimits(database, attempt))
  const isKnown = limits?.deviceId !== undefined
  const lane = hashingLane(client, { isKnown })
  if (!isKnown && !hashing.hasPlace(lane)) await hashing.refuse()
  const attempted = await hashing.runAttempt(lane, async () =>
    tryPassword(issuer, normalized, client, await allow(database, attempt, limits)),
  )
  if ('refusal' in attempted) return signInDuringLockout(issuer, attempted.refusal, normalized, client)

  const { decision, verified } = attempted
  if (!verified.account) {
    hashing.failed(lane)
    return refuseVerified(verified)
  }
  const { deviceToken, proof } = credentials
  await decision.succeeded(database)
  const { accountId, erasesAt } = verified.account
  const isProofNeeded = proof && erasesAt === null && (await listFactorNames(database, accountId)).length > 0
  const verifiedProof = isProofNeeded
    ? await verifyProof(issuer, { accountId, proof, purpose: 'second_step', client })
    : undefined
  return finishSignIn(issuer, { ...verified, account: verified.account }, verifiedProof, { client, deviceToken })
}

type PasswordAttempt = { readonly refusal: Refused } | { readonly decision: Allowed; readonly verified: PasswordCheck }

/** Verifies the password and records a wrong one. Does nothing else yet with a correct one. */
async function tryPassword(
  issuer: BuiltInIssuer,
  { email, password }: Credentials,
  client: Client,
  decision: Decision,
): Promise<PasswordAttempt> {
  const { database, hashing } = issuer
  if (!decision.isAllowed) return { refusal: decision }
  const account = await findPasswordAccount(database, email)
  const verified = await verifyOrReturnUnits(database, decision, () =>
    hashing.hash(() => verifyAccount(issuer, account, password)),
  )
  if (!verified.account) {
    await revokeGuessingDevice(issuer, decision, account, client)
    await recordWrongPassword(issuer, { accountId: account?.accountId, client })
  }
  return { decision, verified }
}

/**
 * Signs in during a rate limit with a second factor or a recovery code, which is verified before the password. A proof
 * that does not belong to the account gets the same response as no proof and is not charged: otherwise strangers could
 * use up the owner's codes.
 */
async function signInDuringLockout(
  issuer: BuiltInIssuer,
  refusal: Refused,
  { email, password, deviceToken, proof }: Credentials,
  client: Client,
): Promise<SignedIn | Challenge> {
  const account = proof && (await findPasswordAccount(issuer.database, email))
  if (!account || !(await isProofOf(issuer.database, account.accountId, proof)))
    return refuseAttempt(refusal, { byMail: issuer.outbox !== undefined })
  const { accountId } = account
  const verifiedProof = await verifyProof(issuer, { accountId, proof, purpose: 'second_step', client })
  const verified = await verifyOrReturnUnits(issuer.database, verifiedProof.decision, () =>
    issuer.hashing.run(hashingLane(client, { isKnown: true }), () => verifyAccount(issuer, account, password)),
  )
  // The unit of the code is not returned, so that a valid code does not allow unlimited password guesses.
  if (!verified.account) {
    await recordWrongPassword(issuer, { accountId, client })
    return refuseVerified(verified)
  }
  const used = verified.account.erasesAt === null ? verifiedProof : undefined
  return finishSignIn(issuer, { ...verified, account: verified.account }, used, { client, deviceToken })
}

/**
 * Locks the account, and opens the session or returns a challenge. Problems: `sign_in_refused` if the password was
 * changed or the account disabled since the password was verified; `account_erasing`; those of `completeWithProof`.
 */
async function finishSignIn(
  issuer: BuiltInIssuer,
  verified: PasswordCheck & { readonly account: PasswordAccount },
  verifiedProof: VerifiedProof | undefined,
  { client, deviceToken }: { readonly client: Client; readonly deviceToken: Secret | undefined },
): Promise<SignedIn | Challenge> {
  const { account } = verified
  const refuseChanged = async () => {
    await recordWrongPassword(issuer, { accountId: account.accountId, client })
    return refuseVerified(verified)
  }
  const methods = ['pwd'] as const
  if (verifiedProof)
    return completeWithProof(issuer, verifiedProof, {
      verifiedState: account,
      methods,
      client,
      deviceToken,
      open: async (_rows, open) => (open.erasesAt === null ? open : refuse('sign_in_refused')),
      refuseChanged,
    })
  const outcome = await issuer.database.transaction(async (rows) => {
    const open = await lockForSignIn(rows, account)
    if (!open) return undefined
    if (open.erasesAt !== null)
      return { erasesAt: open.erasesAt, keep: await createChallenge(issuer, rows, open, methods) }
    if (open.hasFactor) return createChallenge(issuer, rows, open, methods)
    return startSession(issuer, rows, open, { amr: methods, client, deviceToken })
  })
  if (!outcome) return refuseChanged()
  if ('keep' in outcome) return refuseScheduledDeletion(outcome.keep, outcome.erasesAt)
  return 'session' in outcome ? issueSignIn(issuer, outcome) : outcome
}

/** The result of verifying a password. */
interface PasswordCheck {
  /** Present if the password is correct and not expired, and the account is not disabled. */
  readonly account?: PasswordAccount
  /** Resolves when a rejection may be sent. */
  readonly untilRefusal: () => Promise<void>
}

/** Does the same work if there is no account. */
async function verifyAccount(
  issuer: BuiltInIssuer,
  account: PasswordAccount | undefined,
  password: Secret,
): Promise<PasswordCheck> {
  const untilRefusal = issuer.refusals.begin(comparisonsOf(password))
  const verified = await verifyStored(issuer, account, password)
  return { ...(verified && { account: verified }), untilRefusal }
}

/**
 * Returns the account with the hash that the password matches, or `undefined` for a wrong password. Upgrades a hash of
 * another scheme or cost.
 */
async function verifyStored(
  { database, log }: BuiltInIssuer,
  account: PasswordAccount | undefined,
  password: Secret,
): Promise<PasswordAccount | undefined> {
  const result = await verifyPassword(account?.passwordHash, password)
  if (result === 'unreadable') log.error({ accountId: account?.accountId }, 'stored password hash is unreadable')
  if (!account || !isCorrect(result) || account.isDisabled || account.isExpired) return undefined
  if (result === 'correct') return account
  const passwordHash = await hashPassword(password)
  if (await upgradePasswordHash(database, account, passwordHash)) return { ...account, passwordHash }
  // The hash was replaced concurrently: by another sign-in with the same password, or by a new password.
  const replaced = await findPasswordAccount(database, account.email)
  const isSame = replaced && isCorrect(await verifyPassword(replaced.passwordHash, password))
  return isSame ? { ...account, passwordHash: replaced.passwordHash } : undefined
}

async function revokeGuessingDevice(
  { database }: BuiltInIssuer,
  { isKnown, deviceId, failures }: Allowed,
  account: PasswordAccount | undefined,
  client: Client,
): Promise<void> {
  if (!isKnown || deviceId === undefined || !account || failures < failuresMax) return
  const { accountId } = account
  await database.transaction((rows) => revokeDevice(rows, { accountId, deviceId, client }))
}

/** The audit event never contains the email that was sent: users sometimes type a password into that field. */
async function recordWrongPassword(
  { database }: BuiltInIssuer,
  { accountId, client }: { readonly accountId: string | undefined; readonly client: Client },
): Promise<void> {
  const target = accountId === undefined ? undefined : ({ kind: 'account', id: accountId } as const)
  await recordRejectedSignIn(database, { target, origin: originOf(client) })
}

async function refuseVerified({ untilRefusal }: PasswordCheck): Promise<never> {
  await untilRefusal()
  return refuse('sign_in_refused')
}
