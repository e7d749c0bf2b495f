import { randomBytes } from 'node:crypto'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'

/** What an answer to a challenge is good for. A challenge of an account is good for it alone, and one of a session within it. */
export type PasskeyUse =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'second_step' | 'recovery'; readonly accountId: string }
  | { readonly purpose: 'registration' | 'session'; readonly accountId: string; readonly sessionId: string }

/** Time to find the authenticator and to be recognised by it. */
export const passkeyChallengeSeconds = 300
/** Open challenges of one account and purpose. A further one takes the place of the oldest. */
const openMax = 10

/** 256 random bits. The database stores the hash. */
export async function createPasskeyChallenge(rows: Rows, use: PasskeyUse): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await rows.query(createStatement, [...valuesOf(challenge, use), passkeyChallengeSeconds])
  return challenge
}

/** Whether the challenge is open for this use. It stays so. */
export async function isPasskeyChallengeOpen(rows: Rows, challenge: string, use: PasskeyUse): Promise<boolean> {
  return (await rows.query(findStatement, valuesOf(challenge, use))).length === 1
}

/** Uses the challenge up. Of several concurrent calls one returns true. */
export async function consumePasskeyChallenge(rows: Rows, challenge: string, use: PasskeyUse): Promise<boolean> {
  return (await rows.query(consumeStatement, valuesOf(challenge, use))).length === 1
}

function valuesOf(challenge: string, use: PasskeyUse): readonly unknown[] {
  const accountId = 'accountId' in use ? use.accountId : null
  const sessionId = 'sessionId' in use ? use.sessionId : null
  return [opaqueTokenHash(challenge), use.purpose, accountId, sessionId]
}

/**
 * $1 hash, $2 purpose, $3 account, $4 session, $5 seconds. Each new challenge removes two that have expired: what strangers ask for
 * does not pile up.
 */
const createStatement = {
  name: 'webauthn_challenge_create',
  text: `
with surplus as (
  delete from webauthn_challenge where hash in (
    select hash from webauthn_challenge where account_id = $3::uuid and purpose = $2
    order by expires_at desc offset ${openMax - 1} for update skip locked)
), expired as (
  delete from webauthn_challenge where hash in (
    select hash from webauthn_challenge where expires_at < now() - interval '1 minute'
    order by expires_at limit 2 for update skip locked)
)
insert into webauthn_challenge (hash, purpose, account_id, session_id, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
}

/** $1 hash, $2 purpose, $3 account, $4 session. */
const isOfUse = `
  hash = $1 and purpose = $2 and account_id is not distinct from $3::uuid and session_id is not distinct from $4::uuid
  and expires_at > now()`

const findStatement = {
  name: 'webauthn_challenge_find',
  text: `select hash from webauthn_challenge where ${isOfUse}`,
}

const consumeStatement = {
  name: 'webauthn_challenge_consume',
  text: `delete from webauthn_challenge where ${isOfUse} returning hash`,
}
