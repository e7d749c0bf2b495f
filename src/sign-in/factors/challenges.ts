import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Challenge, FactorName } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'

/** Time to find the phone. */
const challengeSeconds = 300
/** Codes that may be tried before the password is asked for again. */
const triesMax = 5

/** What is answered to a right password where a second factor is set up. It opens nothing by itself. */
export async function openChallenge(
  { database }: BuiltInIssuer,
  accountId: string,
  factors: readonly FactorName[],
): Promise<Challenge> {
  const { token, hash } = newOpaqueToken('challenge')
  await database.query(openStatement, [hash, accountId, challengeSeconds])
  return { mfa_required: true, challenge: token.open(), expires_in: challengeSeconds, factors: [...factors] }
}

/** Whose challenge this is. Counts one try; nothing where it is unknown, over, used up, or its account disabled. */
export async function tryChallenge(
  rows: Rows,
  hash: Buffer,
): Promise<{ readonly accountId: string; readonly email: string } | undefined> {
  const [row] = await rows.query<{ accountId: string; email: string }>(tryStatement, [hash, triesMax])
  return row
}

/** Ends the challenge. Of several at once one gets true. */
export async function spendChallenge(rows: Rows, hash: Buffer): Promise<boolean> {
  return (await rows.query(spendStatement, [hash])).length === 1
}

/** After a change of the password, whoever was half-way in with the old one has to begin again. */
export async function dropChallenges(rows: Rows, accountId: string): Promise<void> {
  await rows.query(dropStatement, [accountId])
}

const openStatement = {
  name: 'challenge_open',
  text: `
insert into sign_in_challenge (hash, account_id, expires_at) values ($1, $2, now() + make_interval(secs => $3))`,
}

const tryStatement = {
  name: 'challenge_try',
  text: `
update sign_in_challenge h
set attempts = h.attempts + 1
from account a join credential c on c.account_id = a.id
where h.hash = $1 and h.attempts < $2 and h.expires_at > now() and a.id = h.account_id and a.disabled_at is null
returning h.account_id as "accountId", c.email`,
}

const spendStatement = {
  name: 'challenge_spend',
  text: `delete from sign_in_challenge where hash = $1 and expires_at > now() returning hash`,
}

const dropStatement = { name: 'challenge_drop', text: `delete from sign_in_challenge where account_id = $1` }
