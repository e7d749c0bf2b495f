import { type Operation, operation } from '../../identity/operation.ts'
import { sessionsContract } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { listSessions } from '../sessions/own-sessions.ts'

export function authSessions(issuer: BuiltInIssuer): Operation {
  return operation(sessionsContract, async ({ caller }) => ({ sessions: await listSessions(issuer, caller) }))
}
