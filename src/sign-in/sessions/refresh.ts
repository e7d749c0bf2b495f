import { newOpaqueToken, opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Tokens } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { OpenSession } from './access-tokens.ts'
import type { Client } from './client.ts'
import { issueTokens, originOf } from './sessions.ts'

/**
 * Spends a refresh token for the next one and an access token. A token that was spent before ends its session: two hold it, and
 * nobody can tell which of them should. There is no grace for a client that lost an answer: it signs in again.
 * Problem: `refresh_refused`, whatever the reason. Source: RFC 9700 §4.14.2.
 */
export async function refresh(issuer: BuiltInIssuer, token: Secret, client: Client): Promise<Tokens> {
  const next = newOpaqueToken('refresh')
  const hash = opaqueTokenHash(token.open())
  const [session] = await issuer.database.query<OpenSession>(spendStatement, [hash, next.hash])
  if (session) return issueTokens(issuer, { session, refreshToken: next.token.open() })
  await endIfReused(issuer, hash, client)
  return refuse('refresh_refused')
}

async function endIfReused({ database }: BuiltInIssuer, hash: Buffer, client: Client): Promise<void> {
  await database.transaction(async (rows) => {
    const [ended] = await rows.query<{ id: string; account_id: string }>(reuseStatement, [hash])
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
 * $1 hash of the token shown, $2 hash of the next one. Of two statements at once the second waits for the first, and then finds
 * the token spent.
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
  returning s.id, s.account_id, s.amr
), next as (
  insert into refresh_token (hash, session_id) select $2, id from spent
), used as (
  update session set last_used_at = now() where id in (select id from spent)
)
select id, account_id as "accountId", amr from spent`,
}

/** $1 hash of a token that could not be spent. Any spent token of the session gives the alarm, not only the last. */
const reuseStatement = {
  name: 'refresh_reuse',
  text: `
update session s
set ended_at = now()
from refresh_token t
where t.hash = $1 and t.spent_at is not null and s.id = t.session_id and s.ended_at is null
returning s.id, s.account_id`,
}
