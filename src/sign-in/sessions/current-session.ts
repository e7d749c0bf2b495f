import type { Level } from '../../identity/level.ts'
import { lockAccount } from '../../identity/lock-account.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import type { ActingCaller, UserCaller } from '../../platform/http/caller.ts'
import { refuse } from '../../platform/problems.ts'

/**
 * The caller's session at the built-in issuer, as the database has it now. Writes need the one from `writeInSession`.
 */
export interface CurrentSession {
  readonly accountId: string
  readonly sessionId: string
  /** Normalized. Absent if the account has no password. */
  readonly email?: string
  readonly amr: readonly string[]
  readonly level: Level
}

interface SessionOptions {
  /** Set by operations that a session with a generated password may call. */
  readonly withInitialPassword?: boolean
}

/**
 * Runs a write of a session in one transaction: locks the account, then reads the session again, because it may have
 * ended before the lock. All writes of a session to its own account use this function. Only the deletion of the
 * account, which takes more locks, reads the session again itself.
 * Problems: those of `readCurrentSession`.
 */
export async function writeInSession<Result>(
  database: Database,
  caller: UserCaller,
  work: (rows: Rows, current: CurrentSession) => Promise<Result>,
  options?: SessionOptions,
): Promise<Result> {
  if (caller.ownSessionId === undefined) refuse('session_foreign')
  return database.transaction(async (rows) => {
    await lockAccount(rows, caller.subject)
    return work(rows, await readCurrentSession(rows, caller, options))
  })
}

/**
 * Problems: `session_foreign` for a token of another issuer, `session_ended`, `account_disabled`;
 * `password_change_required` unless `withInitialPassword` is set.
 */
export async function readCurrentSession(
  rows: Rows,
  { subject, ownSessionId }: UserCaller,
  { withInitialPassword = false }: SessionOptions = {},
): Promise<CurrentSession> {
  const sessionId = ownSessionId ?? refuse('session_foreign')
  const [row] = await rows.query<SessionRow>(readStatement, [sessionId, subject])
  if (!row) return refuse('session_ended') // a missing row is an expired session that was deleted
  if (row.disabled) refuse('account_disabled')
  if (row.ended) refuse('session_ended')
  if (row.must_change_password && !withInitialPassword) refuse('password_change_required')
  const { account_id: accountId, email, amr, aal, age_seconds, has_factor } = row
  return { accountId, sessionId, ...(email !== null && { email }), amr, level: { aal, age_seconds, has_factor } }
}

/**
 * The account that a read is about: the caller's, with the current session, or the user as whom an administrator acts,
 * without a session.
 */
export async function readOwner(
  rows: Rows,
  caller: UserCaller | ActingCaller,
): Promise<Pick<CurrentSession, 'accountId'> & { readonly sessionId: string | null }> {
  return caller.kind === 'acting' ? { accountId: caller.accountId, sessionId: null } : readCurrentSession(rows, caller)
}

interface SessionRow extends Level {
  readonly account_id: string
  readonly email: string | null
  readonly disabled: boolean
  readonly ended: boolean
  readonly must_change_password: boolean
  readonly amr: readonly string[]
}

/** $1 session, $2 the token's subject, which is the account. */
const readStatement = {
  name: 'session_current',
  text: `
select a.id as account_id, c.email, a.disabled_at is not null as disabled,
       s.ended_at is not null or s.expires_at <= now() as ended, s.must_change_password,
       s.amr, s.aal, extract(epoch from now() - s.proved_at)::float8 as age_seconds,
       exists (select from second_factor f where f.account_id = a.id) as has_factor
from session s
join account a on a.id = s.account_id
left join credential c on c.account_id = a.id
where s.id = $1::uuid and a.id::text = $2`,
}
