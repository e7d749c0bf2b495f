import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Client, originOf } from '../sessions/client.ts'
import type { CurrentSession } from '../sessions/current-session.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import type { Allowed } from './allow.ts'
import { failuresMax } from './buckets.ts'

/** Ends the session where this failure is one too many: its token may be stolen. */
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
