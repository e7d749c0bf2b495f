import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { utcSecondsText } from '../../platform/database/utc-text.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Allowed } from './allow.ts'
import { failuresMax } from './buckets.ts'
import { type Client, originOf, recordOwn, removeDevices } from './client.ts'
import type { AccessToken, Session } from './contract.ts'
import { type CurrentSession, readOwner, writeInSession } from './current-session.ts'
import { mintAccessToken, sessionsMax, type TokenSession, tokenSessionColumns } from './open-session.ts'

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

export async function signOut(database: Database, caller: UserCaller, client: Client): Promise<void> {
  const end = (rows: Rows, current: CurrentSession) => endSessions(rows, current, client, { only: current.sessionId })
  await writeInSession(database, caller, end, { withInitialPassword: true })
}

/** Ends every session of the account, including the current one, and forgets its devices. */
export async function signOutEverywhere(database: Database, caller: UserCaller, client: Client): Promise<void> {
  const end = (rows: Rows, current: CurrentSession) => endSessions(rows, current, client, {})
  await writeInSession(database, caller, end, { withInitialPassword: true })
}

/** Ends one session of the account. Problem: `session_unknown`, also for another account's session. */
export async function endSession(
  database: Database,
  caller: UserCaller,
  sessionId: string,
  client: Client,
): Promise<void> {
  await writeInSession(database, caller, async (rows, current) => {
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

/** Ends everything that opens the account without a new sign-in: sessions, sign-ins in progress, known devices. */
export async function endAccess(rows: Rows, accountId: string): Promise<void> {
  await endSessionsOf(rows, accountId)
  await deleteChallenges(rows, accountId)
  await removeDevices(rows, accountId)
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
  for (const id of ended)
    await recordOwn(rows, { action: 'session.ended', accountId, client, target: { kind: 'session', id } })
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

/** A method that the user has authenticated with again (RFC 8176): password, code or passkey. */
type VerifiedMethod = 'pwd' | 'otp' | 'pop'

/** Records a new authentication of the session, and adds these methods to it. Problem: `session_ended`. */
export async function stepUpSession(
  rows: Rows,
  { accountId, sessionId, amr }: CurrentSession,
  proved: readonly VerifiedMethod[],
  client: Client,
): Promise<TokenSession> {
  const methods = methodsAfter(amr, proved)
  const [session] = await rows.query<TokenSession>(raiseStatement, [sessionId, methods])
  if (!session) return refuse('session_ended')
  const details = { amr: methods }
  await recordOwn(rows, {
    action: 'session.stepped_up',
    accountId,
    client,
    target: { kind: 'session', id: sessionId },
    details,
  })
  return session
}

/**
 * A password and a code are two factors. A session that an operator opened has neither. A passkey counts as two
 * factors, because its authenticator verifies the user.
 */
function methodsAfter(amr: readonly string[], proved: readonly VerifiedMethod[]): readonly string[] {
  const methods = new Set([...amr, ...proved])
  if (methods.has('pop') || (methods.has('pwd') && methods.has('otp'))) methods.add('mfa')
  return [...methods]
}

/** $1 session, $2 its methods. */
const raiseStatement = {
  name: 'session_raise',
  text: `
update session s set proved_at = now(), amr = $2
where s.id = $1 and s.ended_at is null and s.expires_at > now()
returning ${tokenSessionColumns}`,
}

/** Ends the session after too many failures, because its token may be stolen. */
export async function endGuessingSession(
  database: Database,
  { accountId, sessionId }: Pick<CurrentSession, 'accountId' | 'sessionId'>,
  { failures }: Allowed,
  client: Client,
): Promise<void> {
  if (failures < failuresMax) return
  await database.transaction(async (rows) => {
    if ((await endSessionsOf(rows, accountId, { only: sessionId })).length === 0) return
    const target = { kind: 'session', id: sessionId } as const
    await recordAudit(rows, { action: 'session.suspected', target, ...originOf(client) })
  })
}

/**
 * Chooses the current organization of the caller's session, or with null returns to the one joined first. Returns an
 * access token that names the current organization.
 * Problems: those of `readCurrentSession`, `organization_unknown` if the caller is not a member.
 */
export async function chooseOrganization(
  issuer: BuiltInIssuer,
  caller: UserCaller,
  orgId: string | null,
): Promise<AccessToken> {
  const session = await writeInSession(issuer.database, caller, async (rows, { accountId, sessionId }) => {
    const [chosen] = await rows.query<TokenSession>(chooseStatement, [sessionId, accountId, orgId])
    return chosen ?? refuse('organization_unknown', { accountId })
  })
  return mintAccessToken(issuer, session)
}

/**
 * $1 session, $2 account, $3 organization or null. The lock keeps the organization from being deleted before the
 * session refers to it.
 */
const chooseStatement = {
  name: 'session_choose_organization',
  text: `
with chosen as (
  select o.id
  from membership m join organization o on o.id = m.organization_id
  where m.account_id = $2 and m.organization_id = $3::uuid
  for key share of o
)
update session s set organization_id = (select id from chosen)
where s.id = $1 and ($3::uuid is null or exists (select from chosen))
returning ${tokenSessionColumns}`,
}

/**
 * Deletes the account's links and raises its epoch, which invalidates links that are created concurrently. Called for
 * every change of how the owner signs in. Keeps the links that undo an email change unless `alsoUndo` is set: otherwise
 * a thief could change the password and the owner could undo nothing.
 */
export async function endAccountLinks(
  rows: Rows,
  accountId: string,
  { alsoUndo = false }: { readonly alsoUndo?: boolean } = {},
): Promise<void> {
  await rows.query(endLinksStatement, [accountId, alsoUndo ? [] : ['email_undo']])
}

const endLinksStatement = {
  name: 'account_links_end',
  text: `
with raised as (update account set security_epoch = security_epoch + 1 where id = $1)
delete from account_link where account_id = $1 and purpose <> all ($2::text[])`,
}

/** Deletes open challenges, so that a sign-in that passed its first step with the old password must start again. */
export async function deleteChallenges(rows: Rows, accountId: string): Promise<void> {
  await rows.query(deleteChallengesStatement, [accountId])
}

const deleteChallengesStatement = {
  name: 'challenges_delete',
  text: `
with passkeys as (delete from webauthn_challenge where account_id = $1)
delete from sign_in_challenge where account_id = $1`,
}
