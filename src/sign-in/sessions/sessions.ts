import { newOpaqueToken } from '../../identity/opaque-tokens.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { mintAccessToken, type TokenSession, tokenSessionColumns } from './access-tokens.ts'
import { type Client, originOf } from './client.ts'
import type { Session, SignedIn, Tokens } from './contract.ts'
import { type CurrentSession, readOwner, writeInSession } from './current-session.ts'
import { notifyOfNewDevice, rememberDevice, removeDevices } from './devices.ts'
import type { ActiveAccount } from './security-epoch.ts'

/** The `amr` of a session that an operator opened without the user's password. */
export const operatorMethod = 'operator'

/**
 * Maximum number of open sessions per account. Another one ends the least recently used, so that the list of sessions
 * is always complete.
 */
const sessionsMax = 100

interface StartedSession {
  readonly session: TokenSession
  readonly refreshToken: string
}

export interface SignInSession extends StartedSession {
  readonly session: OpenedSession
  readonly deviceToken: string
}

interface CompletedSignIn {
  readonly amr: readonly string[]
  readonly client: Client
  /** The device token that the client sent. */
  readonly deviceToken?: Secret | undefined
}

/**
 * Opens a session after a completed sign-in, for an account from `lockForSignIn`. Call `issueSignIn` after the commit.
 */
export async function startSession(
  issuer: BuiltInIssuer,
  rows: Rows,
  { accountId }: ActiveAccount,
  { amr, client, deviceToken }: CompletedSignIn,
): Promise<SignInSession> {
  const refresh = newOpaqueToken('refresh')
  const lifeSeconds = issuer.settings.sessionSeconds
  const device = await rememberDevice(rows, { accountId, client, deviceToken })
  if (device.token !== deviceToken) await notifyOfNewDevice(issuer, rows, accountId, client.networks[0])
  const refreshHash = refresh.hash
  const session = await insertSession(rows, { accountId, amr, lifeSeconds, client, refreshHash, deviceId: device.id })
  await recordAudit(rows, {
    action: 'session.opened',
    actorId: accountId,
    target: { kind: 'session', id: session.id },
    ...originOf(client),
    details: { amr },
  })
  return { session, refreshToken: refresh.token.open(), deviceToken: device.token.open() }
}

/** The response to a completed sign-in. Never call it inside a transaction; see `issueTokens`. */
export async function issueSignIn(issuer: BuiltInIssuer, started: SignInSession): Promise<SignedIn> {
  const tokens = await issueTokens(issuer, started)
  const { session, deviceToken } = started
  return {
    ...tokens,
    device_token: deviceToken,
    ...(session.mustChangePassword && { password_change_required: true }),
  }
}

/** Never call it inside a transaction: reading the signing key would wait for a second connection. */
export async function issueTokens(issuer: BuiltInIssuer, { session, refreshToken }: StartedSession): Promise<Tokens> {
  const access = await mintAccessToken(issuer.keys, issuer.settings, session, issuer.now)
  return { ...access, refresh_token: refreshToken }
}

interface OpenedSession extends TokenSession {
  /** The password was generated. Until it is changed, the session can do nothing else. */
  readonly mustChangePassword: boolean
}

interface NewSession {
  readonly accountId: string
  /** How the user authenticated (RFC 8176). */
  readonly amr: readonly string[]
  readonly lifeSeconds: number
  readonly client?: Client
  /** SHA-256 of the first refresh token. Without it the session cannot be refreshed. */
  readonly refreshHash?: Buffer
  readonly deviceId?: string
}

/** Lock the account first. Problem: `account_disabled`, also if the account is deleted or scheduled for deletion. */
export async function insertSession(rows: Rows, session: NewSession): Promise<OpenedSession> {
  const { accountId, amr, lifeSeconds, client, refreshHash, deviceId } = session
  const values = [
    accountId,
    amr,
    lifeSeconds,
    client?.address ?? null,
    client?.networks[0] ?? null,
    client?.userAgent ?? null,
    refreshHash ?? null,
    deviceId ?? null,
  ]
  const [row] = await rows.query<OpenedSession>(insertStatement, values)
  return row ?? refuse('account_disabled')
}

/** The open sessions of the caller's account, the most recently used first. Problems: those of `readCurrentSession`. */
export async function listSessions(
  { database, settings }: BuiltInIssuer,
  caller: UserCaller | ActingCaller,
): Promise<Session[]> {
  const { accountId, sessionId } = await readOwner(database, caller)
  const values = [accountId, sessionId, settings.sessionIdleSeconds]
  const found = await database.query<{ session: Session }>(listStatement, values)
  return found.map(({ session }) => session)
}

/** Ends the caller's session. */
export async function signOut(issuer: BuiltInIssuer, caller: UserCaller, client: Client): Promise<void> {
  const end = (rows: Rows, current: CurrentSession) => endSessions(rows, current, client, { only: current.sessionId })
  await writeInSession(issuer.database, caller, end, { withInitialPassword: true })
}

/** Ends every session of the account, including the current one, and forgets its devices. */
export async function signOutEverywhere(issuer: BuiltInIssuer, caller: UserCaller, client: Client): Promise<void> {
  const end = (rows: Rows, current: CurrentSession) => endSessions(rows, current, client, {})
  await writeInSession(issuer.database, caller, end, { withInitialPassword: true })
}

/** Ends one session of the account. Problem: `session_unknown`, also for another account's session. */
export async function endSession(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  sessionId: string,
  client: Client,
): Promise<void> {
  await writeInSession(issuer.database, caller, async (rows, current) => {
    if ((await endSessions(rows, current, client, { only: sessionId })) === 0) refuse('session_unknown')
  })
}

/** Which sessions of an account. Empty means all. */
interface SessionChoice {
  readonly only?: string
  readonly except?: string
  /** Only sessions without a second factor. */
  readonly isWeak?: boolean
}

/** Ends sessions of an account. Returns the ids of those that were open. */
export async function endSessionsOf(
  rows: Rows,
  accountId: string,
  { only, except, isWeak = false }: SessionChoice = {},
): Promise<readonly string[]> {
  const ended = await rows.query<{ id: string }>(endStatement, [accountId, only ?? null, except ?? null, isWeak])
  return ended.map(({ id }) => id)
}

/**
 * Ends every session of every account with its refresh tokens, and every sign-in that waits for a second factor.
 * Returns the number of ended sessions.
 */
export async function endAllSessions(rows: Rows): Promise<number> {
  const [ended] = await rows.query<{ count: number }>(endAllStatement, [])
  const count = ended?.count ?? 0
  await recordAudit(rows, { action: 'session.all_ended', details: { sessions: count } })
  return count
}

/** Ends the other sessions after a change of factors: all, or those without a second factor. Devices stay known. */
export async function endOtherSessions(
  rows: Rows,
  { accountId, sessionId }: CurrentSession,
  which: 'all' | 'weak',
  client: Client,
): Promise<void> {
  const ended = await endSessionsOf(rows, accountId, { except: sessionId, isWeak: which === 'weak' })
  await recordEnds(rows, accountId, ended, client)
}

/** Without `only`, also forgets the devices. Returns the number of ended sessions. */
async function endSessions(
  rows: Rows,
  { accountId }: CurrentSession,
  client: Client,
  choice: SessionChoice,
): Promise<number> {
  const ended = await endSessionsOf(rows, accountId, choice)
  if (choice.only === undefined) await removeDevices(rows, accountId)
  await recordEnds(rows, accountId, ended, client)
  return ended.length
}

async function recordEnds(rows: Rows, accountId: string, ended: readonly string[], client: Client): Promise<void> {
  for (const id of ended) {
    const target = { kind: 'session', id } as const
    await recordAudit(rows, { action: 'session.ended', actorId: accountId, target, ...originOf(client) })
  }
}

/** $1 account, $2 amr, $3 seconds, $4 address, $5 network, $6 user agent, $7 hash of a refresh token, $8 device; $4 to $8 may be null. */
const insertStatement = {
  name: 'session_insert',
  text: `
with opened as (
  insert into session as s (account_id, amr, expires_at, address, network, user_agent, device_id, must_change_password)
  select a.id, $2, now() + make_interval(secs => $3), $4, $5, $6, $8,
         not '${operatorMethod}' = any($2) and exists (
           select from credential c where c.account_id = a.id and c.initial_until is not null)
  from account a
  where a.id = $1 and a.disabled_at is null
  returning ${tokenSessionColumns}, s.must_change_password as "mustChangePassword"
), refreshed_by as (
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
select * from opened`,
}

/** When a session ends if it is never refreshed again. */
const endsAt = `least(expires_at, last_used_at + make_interval(secs => $3))`

/** $1 account, $2 current session, $3 seconds after which an unused session ends. */
const listStatement = {
  name: 'sessions_of_account',
  text: `
select json_strip_nulls(json_build_object(
         'id', id,
         'isCurrent', id is not distinct from $2::uuid,
         'createdAt', ${utcSecondsText('created_at')},
         'lastUsedAt', ${utcSecondsText('last_used_at')},
         'expiresAt', ${utcSecondsText(endsAt)},
         'amr', amr,
         'address', address,
         'userAgent', user_agent)) as session
from session
where account_id = $1 and ended_at is null and ${endsAt} > now()
order by last_used_at desc, id desc
limit ${sessionsMax}`,
}

/**
 * $1 account, $2 session to end, or null for all, $3 session to keep, or null, $4 whether to end only sessions of level
 * 1.
 */
const endStatement = {
  name: 'sessions_end',
  text: `
update session set ended_at = now()
where account_id = $1 and ended_at is null and expires_at > now()
  and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) and (aal < 2 or not $4::boolean)
returning id`,
}

const endAllStatement = {
  name: 'sessions_end_all',
  text: `
with challenges as (delete from sign_in_challenge),
  passkey_challenges as (delete from webauthn_challenge),
  ended as (update session set ended_at = now() where ended_at is null and expires_at > now() returning id)
select count(*)::int as count from ended`,
}
