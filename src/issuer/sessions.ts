import type { Rows } from '../database/database.ts'
import type { OpenSession } from './access-tokens.ts'

/** Opens a session. The first session of an account is noted on it: `isFirstLogin` compares with that. */
export async function openSession(
  rows: Rows,
  session: { readonly accountId: string; readonly amr: readonly string[]; readonly sessionSeconds: number },
): Promise<OpenSession> {
  const { accountId, amr, sessionSeconds } = session
  const [row] = await rows.query<{ id: string }>(openStatement, [accountId, amr, sessionSeconds])
  if (!row) throw new Error('A session was inserted and not returned.')
  return { id: row.id, accountId, amr }
}

const openStatement = {
  name: 'session_open',
  text: `
with opened as (
  insert into session (account_id, amr, expires_at)
  values ($1, $2, now() + make_interval(secs => $3))
  returning id, account_id
), first as (
  update account a set first_session = opened.id::text
  from opened
  where a.id = opened.account_id and a.first_session is null
)
select id from opened`,
}
