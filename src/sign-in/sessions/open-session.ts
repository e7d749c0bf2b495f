import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { currentOrganizationOf } from '../../identity/account.ts'
import { isKeepable } from '../../identity/erasure.ts'
import { acrOf } from '../../identity/level.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Rows } from '../../platform/database/database.ts'
import type { Aal } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import { newOpaqueToken, type Secret } from '../../platform/secret.ts'
import { type BuiltInIssuer, builtInAudience, type TokenSettings } from '../issuer.ts'
import { type SigningKeys, signingAlgorithm } from '../keys/signing-keys.ts'
import { type Client, notifyOfNewDevice, originOf, rememberDevice } from './client.ts'
import type { AccessToken, SignedIn, Tokens } from './contract.ts'

/** The session claims of an access token. */
export interface TokenSession {
  readonly id: string
  readonly accountId: string
  readonly amr: readonly string[]
  readonly aal: Aal
  /** Time of the last authentication, in seconds since 1970. */
  readonly authTime: number
  readonly displayName: string | null
  /** The current organization. Null without an organization. */
  readonly organizationId: string | null
}

/** The columns of the session `s` that a statement returns as a `TokenSession`. */
export const tokenSessionColumns = `
  s.id, s.account_id as "accountId", s.amr, s.aal, floor(extract(epoch from s.proved_at))::float8 as "authTime",
  (select n.display_name from account n where n.id = s.account_id) as "displayName",
  ${currentOrganizationOf('s.account_id', 's.organization_id')} as "organizationId"`

/** The state of the account that a sign-in was verified against, before the account was locked. */
export interface VerifiedState {
  readonly accountId: string
  /**
   * The epoch that was read together with the password hash or the passkey. Absent for a challenge, which is consumed
   * under the lock.
   */
  readonly securityEpoch?: number
  /** The hash that the password was compared with. */
  readonly passwordHash?: string
}

/** An account without a pending deletion, locked until the transaction ends. A session may be opened for it. */
export interface ActiveAccount {
  readonly accountId: string
  readonly erasesAt: null
}

export type LockedAccount =
  | (ActiveAccount & { readonly hasFactor: boolean })
  /** The account is deleted at this time. Until then its owner can only restore it. */
  | { readonly accountId: string; readonly erasesAt: Date }

/**
 * Locks the account until the transaction ends, and then checks that nothing changed since the sign-in was verified.
 * All sessions and challenges are created after this check. Returns `undefined` if the account is deleted or disabled,
 * its password has expired, its hash was replaced, or its epoch was raised: by a change of password, email or factors,
 * a recovery, a disabling or a deletion.
 */
export async function lockForSignIn(
  rows: Rows,
  { accountId, securityEpoch, passwordHash }: VerifiedState,
): Promise<LockedAccount | undefined> {
  const values = [accountId, securityEpoch ?? null, passwordHash ?? null]
  const [account] = await rows.query<LockedAccount>(provedStatement, values)
  return account
}

/**
 * $1 account, $2 epoch or null, $3 password hash or null. After waiting for the lock, PostgreSQL reads only the locked
 * row again. The epoch is in that row, so it reveals changes in other tables.
 */
const provedStatement = {
  name: 'account_proved',
  text: `
with a as materialized (
  select id, disabled_at, erases_at, erase_requested_at, security_epoch from account where id = $1 for no key update
)
select a.id as "accountId", a.erases_at as "erasesAt",
       exists (select from second_factor f where f.account_id = a.id) as "hasFactor"
from a
left join credential c on c.account_id = a.id
where (a.disabled_at is null or ${isKeepable})
  and coalesce(c.initial_until > clock_timestamp(), true)
  and ($2::int is null or a.security_epoch = $2)
  and ($3::text is null or c.password = $3)`,
}

/** The `amr` of a session that an operator opened without the user's password. */
export const operatorMethod = 'operator'

/**
 * Maximum number of open sessions per account. Another one ends the least recently used, so that the list of sessions
 * is always complete.
 */
export const sessionsMax = 100

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
  return { ...tokens, device_token: deviceToken, ...(session.mustChangePassword && { password_change_required: true }) }
}

/** Never call it inside a transaction: reading the signing key would wait for a second connection. */
export async function issueTokens(issuer: BuiltInIssuer, { session, refreshToken }: StartedSession): Promise<Tokens> {
  const access = await mintAccessToken(issuer, session)
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

/** Signs an access token (RFC 9068 §2) for a session. */
export async function mintAccessToken(
  { keys, settings, now }: { readonly keys: SigningKeys; readonly settings: TokenSettings; readonly now: Clock },
  session: TokenSession,
): Promise<AccessToken> {
  const { kid, privateKey } = await keys.signing()
  const issuedAt = Math.floor(now() / 1_000)
  const token = await new SignJWT({
    sid: session.id,
    auth_time: session.authTime,
    acr: acrOf[session.aal],
    amr: session.amr,
    client_id: builtInAudience,
    ...(session.displayName !== null && { name: session.displayName }),
    ...(session.organizationId !== null && { org_id: session.organizationId }),
  })
    .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid })
    .setIssuer(settings.issuer)
    .setAudience(builtInAudience)
    .setSubject(session.accountId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + settings.accessTokenSeconds)
    .sign(privateKey)
  return { access_token: token, token_type: 'Bearer', expires_in: settings.accessTokenSeconds }
}
