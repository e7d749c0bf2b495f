import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import { createNodeLimit, type NodeLimit } from '../../platform/rate-limits.ts'
import { opaqueTokenHash, type Secret, successorOf } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Client, originOf, recordOwn } from './client.ts'
import type { Tokens } from './contract.ts'
import { issueTokens, type TokenSession, tokenSessionColumns } from './open-session.ts'

/**
 * How long a used token returns the same response: enough for clients that lose responses, and short enough to detect a
 * stolen token.
 */
const graceSeconds = 60
/**
 * How often a used token returns the same response. A client that repeats it more often does not store the response.
 */
const repeatsMax = 10

/** Unknown refresh tokens per network and process: guesses, and tokens that old clients kept. */
const unknownTokensMax = { quota: 60, windowSeconds: 60 }

export function limitUnknownTokens({ now }: Pick<BuiltInIssuer, 'now'>): NodeLimit {
  return createNodeLimit('unknown-refresh-tokens', unknownTokensMax, now)
}

/**
 * Exchanges a refresh token for the next one and an access token. The next token is derived from the one sent. A client
 * that lost the response gets the same token again, within the grace period and until the next token is used. Any other
 * reuse ends the session: two clients hold the token, and the server cannot tell the thief from the owner.
 * Problems: `refresh_refused`, for every reason; `rate_limited` for unknown tokens. Source: RFC 9700 §4.14.2.
 */
export async function refresh(
  issuer: BuiltInIssuer,
  token: Secret,
  client: Client,
  unknownTokens: Pick<NodeLimit, 'take'>,
): Promise<Tokens> {
  const { database, settings } = issuer
  const hash = opaqueTokenHash(token.open())
  const [found] = await database.query<{ salt: Buffer }>(findStatement, [hash])
  if (!found) {
    countUnknown(client, unknownTokens)
    return refuse('refresh_refused')
  }
  const next = successorOf(token, found.salt)
  const [spent] = await database.query<TokenSession>(spendStatement, [hash, next.hash, settings.sessionIdleSeconds])
  const values = [hash, next.hash, graceSeconds]
  const [session] = spent ? [spent] : await database.query<TokenSession>(repeatStatement, values)
  if (session) return issueTokens(issuer, { session, refreshToken: next.token.open() })
  await endIfReused(issuer, hash, client)
  return refuse('refresh_refused')
}

/**
 * Ends the session of a refresh token. Accepts a used token, because the client may have lost the response that
 * contained the next one.
 * Problem: `rate_limited` for unknown tokens.
 */
export async function endSessionOfToken(
  { database }: BuiltInIssuer,
  token: Secret,
  client: Client,
  unknownTokens: Pick<NodeLimit, 'take'>,
): Promise<void> {
  const hash = opaqueTokenHash(token.open())
  const [found] = await database.query(findStatement, [hash])
  if (!found) return countUnknown(client, unknownTokens)
  await database.transaction(async (rows) => {
    const [ended] = await rows.query<{ id: string; account_id: string }>(endStatement, [hash])
    if (!ended) return
    const { id, account_id: accountId } = ended
    await recordOwn(rows, { action: 'session.ended', accountId, client, target: { kind: 'session', id } })
  })
}

function countUnknown({ networks: [network] }: Client, unknownTokens: Pick<NodeLimit, 'take'>): void {
  if (network !== undefined) unknownTokens.take(network)
}

async function endIfReused({ database }: BuiltInIssuer, hash: Buffer, client: Client): Promise<void> {
  await database.transaction(async (rows) => {
    const [ended] = await rows.query<{ id: string; account_id: string }>(endReusedStatement, [hash])
    if (!ended) return
    const target = { kind: 'session', id: ended.id } as const
    const details = { accountId: ended.account_id }
    await recordAudit(rows, { action: 'session.reused', target, ...originOf(client), details })
  })
}

const findStatement = {
  name: 'refresh_find',
  text: `
select s.refresh_salt as salt from refresh_token t join session s on s.id = t.session_id where t.hash = $1`,
}

/**
 * Stops refreshing a session `s` without a second factor once the account has one. Such a session is older than the
 * first factor, or was opened at the same moment.
 */
const isStrongEnough = `(
  s.aal = 2 or not exists (select from second_factor f where f.account_id = s.account_id))`

/**
 * $1 hash of the token sent, $2 hash of the next one, $3 seconds after which an unused session ends. Of two concurrent
 * exchanges, the second waits for the first and then finds the token used. If a transaction is changing the session,
 * `used` waits for it and returns the changed row, or nothing if the session has ended.
 */
const spendStatement = {
  name: 'refresh_spend',
  text: `
with spent as (
  update refresh_token t
  set spent_at = now()
  from session s join account a on a.id = s.account_id
  where t.hash = $1 and t.spent_at is null
    and s.id = t.session_id and s.ended_at is null and s.expires_at > now() and a.disabled_at is null
    and s.last_used_at > now() - make_interval(secs => $3) and ${isStrongEnough}
  returning s.id
), next as (
  insert into refresh_token (hash, session_id) select $2, id from spent
), used as (
  update session s set last_used_at = now() where s.id in (select id from spent) and s.ended_at is null
  returning ${tokenSessionColumns}
)
select * from used`,
}

/** $1 hash of the token sent, $2 hash of the next one, $3 grace period in seconds. */
const repeatStatement = {
  name: 'refresh_repeat',
  text: `
update refresh_token t
set repeats = t.repeats + 1
from session s join account a on a.id = s.account_id
where t.hash = $1 and t.spent_at > now() - make_interval(secs => $3) and t.repeats < ${repeatsMax}
  and exists (select from refresh_token n where n.hash = $2 and n.spent_at is null)
  and s.id = t.session_id and s.ended_at is null and s.expires_at > now() and a.disabled_at is null and ${isStrongEnough}
returning ${tokenSessionColumns}`,
}

/**
 * $1 hash of a token that could not be exchanged. Reusing any used token of the session ends it, not only the last one.
 */
const endReusedStatement = {
  name: 'refresh_reuse',
  text: `
update session s
set ended_at = now()
from refresh_token t
where t.hash = $1 and t.spent_at is not null and s.id = t.session_id and s.ended_at is null
returning s.id, s.account_id`,
}

/** $1 hash of any token of the session. */
const endStatement = {
  name: 'refresh_end',
  text: `
update session s
set ended_at = now()
from refresh_token t
where t.hash = $1 and s.id = t.session_id and s.ended_at is null and s.expires_at > now()
returning s.id, s.account_id`,
}
