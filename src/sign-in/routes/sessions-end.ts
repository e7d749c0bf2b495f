import { type Operation, operation } from '../../identity/operation.ts'
import { endSessionContract } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { endSession } from '../sessions/own-sessions.ts'
import { clientOf } from './client.ts'

export function authSessionsEnd(issuer: BuiltInIssuer): Operation {
  return operation(endSessionContract, async ({ caller, params, request, reply }) => {
    await endSession(issuer, caller, params.sessionId, clientOf(request))
    reply.code(204)
  })
}
