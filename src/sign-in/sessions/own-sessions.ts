import type { Caller } from '../../identity/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import type { Session } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Member, readMember } from '../member.ts'
import type { Client } from './client.ts'
import { originOf, sessionsMax } from './sessions.ts'

/** The open sessions of the caller's account, the last used one first. Problems: those of `readMember`. */
export async function listSessions({ database }: BuiltInIssuer, caller: Caller): Promise<readonly Session[]> {
  const member = await readMember(database, caller)
  const found = await database.query<{ session: Session }>(listStatement, [member.accountId, member.sessionId])
  return found.map(({ session }) => session)
}

/** Ends the session that calls. */
export async function signOut(issuer: BuiltInIssuer, caller: Caller, client: Client): Promise<void> {
  await endSessions(issuer, caller, client, (member) => ({ only: member.sessionId }))
}

/** Ends every session of the account, this one included. */
export async function signOutEverywhere(issuer: BuiltInIssuer, caller: Caller, client: Client): Promise<void> {
  await endSessions(issuer, caller, client, () => ({}))
}

/** Ends one of the account's sessions. Problem: `session_unknown`, for other people's as well. */
export async function endSession(
  issuer: BuiltInIssuer,
  caller: Caller,
  sessionId: string,
  client: Client,
): Promise<void> {
  const ended = await endSessions(issuer, caller, client, () => ({ only: sessionId }))
  if (ended === 0) refuse('session_unknown')
}

/** Ends the sessions of an account: one, all, or all but one. Answers the ids of those that were open. */
export async function endSessionsOf(
  rows: Rows,
  accountId: string,
  { only, except }: { readonly only?: string; readonly except?: string } = {},
): Promise<readonly string[]> {
  const ended = await rows.query<{ id: string }>(endStatement, [accountId, only ?? null, except ?? null])
  return ended.map(({ id }) => id)
}

type Choice = (member: Member) => { readonly only?: string }

async function endSessions(
  { database }: BuiltInIssuer,
  caller: Caller,
  client: Client,
  choose: Choice,
): Promise<number> {
  const member = await readMember(database, caller)
  return database.transaction(async (rows) => {
    const ended = await endSessionsOf(rows, member.accountId, choose(member))
    for (const id of ended)
      await recordAudit(rows, {
        action: 'session.ended',
        actorId: member.accountId,
        target: { kind: 'session', id },
        ...originOf(client),
      })
    return ended.length
  })
}

/** $1 account, $2 the session that calls. */
const listStatement = {
  name: 'sessions_own',
  text: `
select json_strip_nulls(json_build_object(
         'id', id,
         'isCurrent', id = $2::uuid,
         'createdAt', ${utc('created_at')},
         'lastUsedAt', ${utc('last_used_at')},
         'expiresAt', ${utc('expires_at')},
         'amr', amr,
         'address', address,
         'userAgent', user_agent)) as session
from session
where account_id = $1 and ended_at is null and expires_at > now()
order by last_used_at desc, id desc
limit ${sessionsMax}`,
}

/** RFC 3339 in UTC, by the second: nobody needs to know it closer. */
function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}

/** $1 account, $2 the only session to end, or null for all, $3 one to leave open, or null. */
const endStatement = {
  name: 'sessions_end',
  text: `
update session set ended_at = now()
where account_id = $1 and ended_at is null and expires_at > now()
  and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3)
returning id`,
}
