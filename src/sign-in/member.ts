import type { Caller } from '../identity/caller.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Secret } from '../platform/secret.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { beginAttempt } from './passwords/login-throttling.ts'
import { judgePassword } from './passwords/passwords.ts'
import { findPerson, type Person } from './people.ts'
import type { Client } from './sessions/client.ts'
import { originOf } from './sessions/sessions.ts'

/** A caller in a session of this issuer, as the database has it now. */
export interface Member {
  readonly accountId: string
  readonly sessionId: string
  /** Normalised; absent where the account has no password here. */
  readonly email?: string
}

/**
 * Lets in whoever calls from an open session of this issuer.
 * Problems: `session_foreign` for the token of another issuer, `session_ended`, `account_disabled`.
 */
export async function readMember(rows: Rows, { subject, ownSessionId }: Caller): Promise<Member> {
  const sessionId = ownSessionId ?? refuse('session_foreign')
  const [row] = await rows.query<MemberRow>(memberStatement, [sessionId, subject])
  if (!row) return refuse('session_ended') // a session that nobody knows was swept
  if (row.disabled) refuse('account_disabled')
  if (row.ended) refuse('session_ended')
  return { accountId: row.account_id, sessionId, ...(row.email !== null && { email: row.email }) }
}

/**
 * Asks a member for the password again, before what an open session alone must not do (ASVS 7.5.1). Wrong ones are counted
 * with those of sign-in. Problem: `password_wrong`.
 */
export async function reauthenticate(
  { database }: BuiltInIssuer,
  member: Member,
  password: Secret,
  client: Client,
): Promise<Person> {
  const email = member.email ?? ''
  const attempt = await beginAttempt(database, email, client)
  const person = await findPerson(database, email)
  const verdict = await judgePassword(person?.passwordHash, password)
  const isRight = verdict === 'right' || verdict === 'outdated'
  if (!person || !isRight || !attempt.mayTry) {
    await attempt.fail(database)
    const target = { kind: 'account', id: member.accountId } as const
    await recordAudit(database, {
      action: 'password.refused',
      actorId: member.accountId,
      target,
      ...originOf(client),
    })
    return refuse('password_wrong')
  }
  await attempt.giveBack(database)
  return person
}

interface MemberRow {
  readonly account_id: string
  readonly email: string | null
  readonly disabled: boolean
  readonly ended: boolean
}

/** $1 session, $2 the token's subject, which is the account. */
const memberStatement = {
  name: 'issuer_member',
  text: `
select a.id as account_id, c.email, a.disabled_at is not null as disabled,
       s.ended_at is not null or s.expires_at <= now() as ended
from session s
join account a on a.id = s.account_id
left join credential c on c.account_id = a.id
where s.id = $1::uuid and a.id::text = $2`,
}
