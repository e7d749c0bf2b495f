import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Tokens } from '../contract/tokens.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { mintAccessToken, type OpenSession } from './access-tokens.ts'
import type { Client } from './client.ts'

/** Sessions of one account at a time. One more ends the one that was used longest ago, so that a list of them is always whole. */
export const sessionsMax = 100

export interface NewSession {
  readonly accountId: string
  /** How they proved who they are (RFC 8176). */
  readonly amr: readonly string[]
  readonly lifeSeconds: number
  readonly client?: Client
  /** SHA-256 of its first refresh token. Without one the session cannot be prolonged. */
  readonly refreshHash?: Buffer
}

/** Opens a session. The first session of an account is noted on it: `isFirstLogin` compares with that. */
export async function openSession(rows: Rows, session: NewSession): Promise<OpenSession> {
  const { accountId, amr, lifeSeconds, client, refreshHash } = session
  const values = [
    accountId,
    amr,
    lifeSeconds,
    client?.address ?? null,
    client?.network ?? null,
    client?.userAgent ?? null,
    refreshHash ?? null,
  ]
  const [row] = await rows.query<{ id: string }>(openStatement, values)
  if (!row) throw new Error('A session was inserted and not returned.')
  return { id: row.id, accountId, amr }
}

/** A session as somebody who just proved who they are gets it. The tokens are made by `issueTokens`, after the commit. */
export async function startSession(
  issuer: BuiltInIssuer,
  rows: Rows,
  { accountId, amr, client }: { readonly accountId: string; readonly amr: readonly string[]; readonly client: Client },
): Promise<StartedSession> {
  const refresh = newOpaqueToken('refresh')
  const lifeSeconds = issuer.settings.sessionSeconds
  const session = await openSession(rows, { accountId, amr, lifeSeconds, client, refreshHash: refresh.hash })
  await recordAudit(rows, {
    action: 'session.opened',
    actorId: accountId,
    target: { kind: 'session', id: session.id },
    ...originOf(client),
    details: { amr },
  })
  return { session, refreshToken: refresh.token.open() }
}

export interface StartedSession {
  readonly session: OpenSession
  readonly refreshToken: string
}

/** Not inside a transaction: reading the signing key would wait there for a second connection. */
export async function issueTokens(issuer: BuiltInIssuer, { session, refreshToken }: StartedSession): Promise<Tokens> {
  const access = await mintAccessToken(issuer.keys, issuer.settings, session, issuer.now)
  return { ...access, refresh_token: refreshToken }
}

/** What the audit trail keeps of a client. */
export function originOf({ address, requestId }: Client): { readonly address: string; readonly requestId: string } {
  return { address, requestId }
}

/** $1 account, $2 amr, $3 seconds, $4 address, $5 network, $6 user agent, $7 hash of a refresh token; $4 to $7 may be null. */
const openStatement = {
  name: 'session_open',
  text: `
with opened as (
  insert into session (account_id, amr, expires_at, address, network, user_agent)
  values ($1, $2, now() + make_interval(secs => $3), $4, $5, $6)
  returning id, account_id
), first as (
  update account a set first_session = opened.id::text
  from opened
  where a.id = opened.account_id and a.first_session is null
), prolonged_by as (
  insert into refresh_token (hash, session_id) select $7::bytea, id from opened where $7::bytea is not null
), surplus as (
  update session set ended_at = now()
  where id in (
    select s.id from session s
    where s.account_id = $1 and s.ended_at is null and s.expires_at > now()
    order by s.last_used_at desc, s.id desc
    offset ${sessionsMax - 1}
  )
)
select id from opened`,
}
