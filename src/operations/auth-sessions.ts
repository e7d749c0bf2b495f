import { sessionsContract } from '../contract/auth-sessions.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { listSessions } from '../issuer/own-sessions.ts'
import { type Operation, operation } from '../server/operation.ts'

export function authSessions(issuer: BuiltInIssuer): Operation {
  return operation(sessionsContract, async ({ caller }) => ({ sessions: await listSessions(issuer, caller) }))
}
