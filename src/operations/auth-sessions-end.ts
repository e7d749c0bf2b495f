import { endSessionContract } from '../contract/auth-sessions.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { endSession } from '../issuer/own-sessions.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'

export function authSessionsEnd(issuer: BuiltInIssuer): Operation {
  return operation(endSessionContract, async ({ caller, params, request, reply }) => {
    await endSession(issuer, caller, params.sessionId, clientOf(request))
    reply.code(204)
  })
}
