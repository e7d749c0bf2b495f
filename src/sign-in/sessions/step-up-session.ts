import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Rows } from '../../platform/database/database.ts'
import { refuse } from '../../platform/problems.ts'
import { type TokenSession, tokenSessionColumns } from './access-tokens.ts'
import type { Allowed } from './allow.ts'
import { failuresMax } from './buckets.ts'
import { type Client, originOf } from './client.ts'
import type { CurrentSession } from './current-session.ts'
import { endSessionsOf } from './sessions.ts'

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
  const target = { kind: 'session', id: sessionId } as const
  const details = { amr: methods }
  await recordAudit(rows, { action: 'session.stepped_up', actorId: accountId, target, ...originOf(client), details })
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
