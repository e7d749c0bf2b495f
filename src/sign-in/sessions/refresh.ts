import { newOpaqueToken, opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Tokens } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { TokenSession } from './access-tokens.ts'
import { type Client, originOf } from './client.ts'
import { issueTokens } from './sessions.ts'

/**
 * Exchanges a refresh token for the next one and an access token. A token that is used a second time ends its session, because
 * two clients hold it and the server cannot tell the thief from the owner. There is no grace period for a client that lost a
 * response: it signs in again. Problem: `refresh_refused`, for every reason. Source: RFC 9700 §4.14.2.
 */
export async function refresh(issuer: BuiltInIssuer, token: Secret, client: Client): Promise<Tokens> {
  const next = newOpaqueToken('refresh')
  const hash = opaqueTokenHash(token.open())
  const [session] = await issuer.database.query<TokenSession>(exchangeStatement, [hash, next.hash])
  if (session) return issueTokens(issuer, { session, refreshToken: next.token.open() })
  await endIfReused(issuer, hash, client)
  return refuse('refresh_refused')
}

async function endIfReused({ database }: BuiltInIssuer, hash: Buffer, client: Client): Promise<void> {
  await database.transaction(async (rows) => {
    const [ended] = await rows.query<{ id: string; account_id: string }>(endReusedStatement, [hash])
    if (!ended) return
    const target = { kind: 'session', id: ended.id } as const
    await recordAudit(rows, {
      action: 'session.reused',
      target,
      ...originOf(client),
      details: { accountId: ended.account_id },
    })
  })
}

/**
 * $1 hash of the token sent, $2 hash of the next one. Of two concurrent exchanges the second waits for the first, and then finds
 * the token used.
 */
const exchangeStatement = {
  name: 'refresh_exchange',
  text: `
with spent as (
  update refresh_token t
  set spent_at = now()
  from session s join account a on a.id = s.account_id
  where t.hash = $1 and t.spent_at is null
    and s.id = t.session_id and s.ended_at is null and s.expires_at > now() and a.disabled_at is null
  returning s.id, s.account_id, s.amr
), next as (
  insert into refresh_token (hash, session_id) select $2, id from spent
), used as (
  update session set last_used_at = now() where id in (select id from spent)
)
select id, account_id as "accountId", amr from spent`,
}

/** $1 hash of a token that could not be exchanged. Any used token of the session ends it, not only the last one. */
const endReusedStatement = {
  name: 'refresh_reuse',
  text: `
update session s
set ended_at = now()
from refresh_token t
where t.hash = $1 and t.spent_at is not null and s.id = t.session_id and s.ended_at is null
returning s.id, s.account_id`,
}
