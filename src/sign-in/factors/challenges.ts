import { isKeepable } from '../../identity/erasure.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { newOpaqueToken } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { LockedAccount } from '../sessions/open-session.ts'
import type { Challenge } from './contract.ts'
import { listFactorNames } from './factor-rows.ts'
import { promptForPasskey } from './verify-passkey.ts'

/** Enough time to find the phone. */
const challengeSeconds = 300
/** Codes per challenge. After them the sign-in starts again with the password. */
const attemptsMax = 5

/** The `amr` of the first step: a password, or a passkey with user verification. */
type FirstStep = readonly ['pwd'] | readonly ['pop', 'user']

/**
 * Creates the response to a correct first step if the account has a factor or is scheduled for deletion. A challenge is
 * not a session and grants no access.
 */
export async function createChallenge(
  issuer: Pick<BuiltInIssuer, 'settings'>,
  rows: Rows,
  { accountId }: LockedAccount,
  methods: FirstStep,
): Promise<Challenge> {
  const { token, hash } = newOpaqueToken('challenge')
  await rows.query(createStatement, [hash, accountId, challengeSeconds, methods])
  const factors = await listFactorNames(rows, accountId)
  const passkey = await promptForPasskey(issuer, rows, factors, { purpose: 'second_step', accountId })
  return { mfa_required: true, challenge: token.open(), expires_in: challengeSeconds, factors, ...passkey }
}

/** Finds a challenge, which may have expired. */
export async function findChallenge(rows: Rows, hash: Buffer): Promise<ChallengeRow | undefined> {
  const [row] = await rows.query<ChallengeRow>(findStatement, [hash])
  return row
}

interface ChallengeRow {
  readonly accountId: string
  /** The `amr` of its first step. */
  readonly methods: readonly string[]
}

/**
 * Counts an attempt. Returns false if the challenge has expired or has no attempts left, or if the account is disabled.
 * With `toKeep`, returns false if the owner cannot restore the account.
 */
export async function attemptChallenge(rows: Rows, hash: Buffer, { toKeep = false } = {}): Promise<boolean> {
  return (await rows.query(attemptStatement, [hash, attemptsMax, toKeep])).length === 1
}

/** Consumes the challenge. Of several concurrent calls, one returns true. */
export async function consumeChallenge(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(consumeStatement, [hash])).length === 1
}

const createStatement = {
  name: 'challenge_create',
  text: `
insert into sign_in_challenge (hash, account_id, expires_at, methods) values ($1, $2, now() + make_interval(secs => $3), $4)`,
}

const findStatement = {
  name: 'challenge_find',
  text: `select account_id as "accountId", methods from sign_in_challenge where hash = $1`,
}

const attemptStatement = {
  name: 'challenge_attempt',
  text: `
update sign_in_challenge h
set attempts = h.attempts + 1
from account a
where h.hash = $1 and h.attempts < $2 and h.expires_at > now() and a.id = h.account_id
  and case when $3 then ${isKeepable} else a.disabled_at is null end
returning h.hash`,
}

const consumeStatement = {
  name: 'challenge_consume',
  text: `delete from sign_in_challenge where hash = $1 and expires_at > now() returning hash`,
}

/**
 * Rejects a correct first step of an account that is scheduled for deletion. Problem: `account_erasing`, with a
 * challenge that can restore the account.
 */
export function refuseScheduledDeletion({ challenge, factors, passkey }: Challenge, erasesAt: Date): never {
  return refuse('account_erasing', {
    keep: { challenge, factors, ...(passkey && { passkey }), erasesAt: erasesAt.toISOString() },
  })
}
