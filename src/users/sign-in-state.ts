import type { Rows } from '../platform/database/database.ts'
import { utcSecondsText } from '../platform/database/utc-text.ts'
import { refuse } from '../platform/problems.ts'

/** The user, and optionally an organization that they must be a member of. */
interface UserTarget {
  readonly userId: string
  readonly within: string | undefined
}

/**
 * The open sessions as the JSON text of the contract's `UserSessions`. `idleSeconds`: idle timeout of built-in
 * sessions. Problem: `user_unknown`.
 */
export async function readUserSessions(rows: Rows, { userId, within }: UserTarget, idleSeconds?: number) {
  const [row] = await rows.query<{ body: string }>(sessionsStatement, [userId, within ?? null, idleSeconds ?? null])
  return (row ?? refuse('user_unknown')).body
}

/** The active second factors as the JSON text of the contract's `UserFactors`. Problem: `user_unknown`. */
export async function readUserFactors(rows: Rows, { userId, within }: UserTarget) {
  const [row] = await rows.query<{ body: string }>(factorsStatement, [userId, within ?? null])
  return (row ?? refuse('user_unknown')).body
}

/** $1 account, $2 organization that the account must be a member of, or null. */
const targetClause = `
from account a
where a.id = $1
  and ($2::uuid is null or exists (select from membership m where m.account_id = a.id and m.organization_id = $2))`

/** SQL expression: when a session ends unless it is refreshed. $3 idle timeout in seconds, or null. */
const endsAt = `least(s.expires_at, s.last_used_at + make_interval(secs => $3))`

const sessionsStatement = {
  name: 'user_sessions',
  text: `
select json_build_object('sessions', (
         select coalesce(json_agg(json_strip_nulls(json_build_object(
                  'id', s.id,
                  'createdAt', ${utcSecondsText('s.created_at')},
                  'lastUsedAt', ${utcSecondsText('s.last_used_at')},
                  'expiresAt', ${utcSecondsText(endsAt)},
                  'amr', s.amr,
                  'address', s.address,
                  'userAgent', s.user_agent)) order by s.last_used_at desc, s.id desc), '[]')
         from session s
         where s.account_id = a.id and s.ended_at is null and ${endsAt} > now()))::text as body
${targetClause}`,
}

const factorsStatement = {
  name: 'user_factors',
  text: `
select json_build_object('factors', (
         select coalesce(json_agg(json_strip_nulls(json_build_object(
                  'id', f.id,
                  'kind', f.type,
                  'name', f.friendly_name,
                  'createdAt', ${utcSecondsText('f.created_at')},
                  'lastUsedAt', ${utcSecondsText('p.last_used_at')})) order by f.created_at, f.id), '[]')
         from second_factor f left join passkey p on p.id = f.id
         where f.account_id = a.id))::text as body
${targetClause}`,
}
