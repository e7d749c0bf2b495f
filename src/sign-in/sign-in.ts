import { recordRefusal } from '../platform/audit/refusals.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { Challenge, SignedIn } from './contract/tokens.ts'
import { createChallenge } from './factors/challenges.ts'
import { listFactorNames } from './factors/factor-rows.ts'
import { type CodeProof, completeWithProof, isProofOf, showProof } from './factors/second-proof.ts'
import { type Allowed, allow, judge, type Refused, refuseToWait } from './guessing/allow.ts'
import { failuresMax } from './guessing/buckets.ts'
import { revokeDevice } from './guessing/devices.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { refuseErasing } from './own-account/keep-account.ts'
import type { HashingLane } from './passwords/hashing-queue.ts'
import {
  findPasswordAccount,
  normalizeEmail,
  type PasswordAccount,
  upgradePasswordHash,
} from './passwords/password-accounts.ts'
import { comparisonsOf, hashPassword, isCorrect, verifyPassword } from './passwords/passwords.ts'
import { type Client, originOf } from './sessions/client.ts'
import { issueSignIn, startSession } from './sessions/sessions.ts'

export interface Credentials {
  readonly email: string
  readonly password: Secret
  readonly deviceToken?: Secret | undefined
  /** Sent at once with the password: it completes the sign-in, and passes a wait. */
  readonly proof?: CodeProof | undefined
}

/**
 * Opens a session, or returns a challenge where the account has a second factor. The response is the same for an unknown address, a
 * wrong password and a disabled account. Problems: `sign_in_refused`; `sign_in_wait` before anything is looked at; `code_refused`;
 * `overloaded`, for clients that are not known before any statement; `account_erasing` after the right password.
 */
export async function signIn(
  issuer: BuiltInIssuer,
  credentials: Credentials,
  client: Client,
): Promise<SignedIn | Challenge> {
  const { database, hashing } = issuer
  const { deviceToken, proof } = credentials
  if (!deviceToken && !proof && !hashing.hasPlace(freshLane(client))) await hashing.refuse()
  const email = normalizeEmail(credentials.email)
  const decision = await allow(database, { kind: 'sign-in', email, client, deviceToken })
  if (!decision.isAllowed) return signInPastWait(issuer, decision, { ...credentials, email }, client)

  const account = await findPasswordAccount(database, email)
  const verified = await judge(database, decision, () =>
    verifyWithin(issuer, laneOf(decision, client), account, credentials.password),
  )
  if (!verified.account) {
    await revokeGuessingDevice(issuer, decision, account, client)
    return refuseSignIn(issuer, verified, { accountId: account?.accountId, client })
  }
  await decision.right(database)
  const { accountId } = verified.account
  await refuseErasing(issuer, verified.account)
  const factors = await listFactorNames(database, accountId)
  if (factors.length === 0) {
    const started = await database.transaction((rows) =>
      startSession(issuer, rows, { accountId, amr: ['pwd'], client, deviceToken }),
    )
    return issueSignIn(issuer, started)
  }
  if (!proof) return createChallenge(issuer, accountId, factors)
  const shown = await showProof(issuer, { accountId, proof, purpose: 'second_step', client })
  return completeWithProof(issuer, shown, { accountId, client, deviceToken })
}

/**
 * A second factor or a recovery code passes the wait: it is judged first, and only where it is right the password is. A proof that is
 * of no factor of this account and is none of its recovery codes gets the same answer as no proof, and is charged nothing: such a
 * try must not use up the codes of the owner.
 */
async function signInPastWait(
  issuer: BuiltInIssuer,
  refusal: Refused,
  { email, password, deviceToken, proof }: Credentials,
  client: Client,
): Promise<SignedIn> {
  const account = proof && (await findPasswordAccount(issuer.database, email))
  if (!account || !(await isProofOf(issuer.database, account.accountId, proof)))
    return refuseToWait(refusal, { byMail: issuer.outbox !== undefined })
  const { accountId } = account
  const shown = await showProof(issuer, { accountId, proof, purpose: 'second_step', client })
  const verified = await judge(issuer.database, shown.decision, () =>
    verifyWithin(issuer, { isKnown: true }, account, password),
  )
  // The unit of the code is not returned: passwords cannot be guessed with a code in hand.
  if (!verified.account) return refuseSignIn(issuer, verified, { accountId, client })
  await refuseErasing(issuer, verified.account)
  return completeWithProof(issuer, shown, { accountId, client, deviceToken })
}

/** What came of a password. */
interface Verified {
  /** Where the password is right and not expired, and the account not disabled. */
  readonly account?: PasswordAccount
  /** Resolves when a refusal may be answered. */
  readonly refusable: () => Promise<void>
}

/** The work is the same where there is no account. */
async function verifyWithin(
  { database, hashing, refusals, log }: BuiltInIssuer,
  lane: HashingLane,
  account: PasswordAccount | undefined,
  password: Secret,
): Promise<Verified> {
  return hashing.run(lane, async () => {
    const refusable = refusals.begin(comparisonsOf(password))
    const result = await verifyPassword(account?.passwordHash, password)
    if (result === 'unreadable') log.error({ accountId: account?.accountId }, 'a stored password hash is unreadable')
    if (!account || !isCorrect(result) || account.isDisabled || account.isExpired) return { refusable }
    if (result === 'needs_rehash') await upgradePasswordHash(database, account, await hashPassword(password))
    return { account, refusable }
  })
}

function laneOf({ isKnown }: Allowed, client: Client): HashingLane {
  return isKnown ? { isKnown } : freshLane(client)
}

function freshLane({ networks }: Client): HashingLane {
  return { isKnown: false, network: networks.at(-1) }
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

/** The audit event does not contain the address that was sent: users sometimes type a password into that field. */
async function refuseSignIn(
  { database }: BuiltInIssuer,
  { refusable }: Verified,
  { accountId, client }: { readonly accountId: string | undefined; readonly client: Client },
): Promise<never> {
  const target = accountId === undefined ? undefined : ({ kind: 'account', id: accountId } as const)
  await recordRefusal(database, { target, origin: originOf(client) })
  await refusable()
  return refuse('sign_in_refused')
}
