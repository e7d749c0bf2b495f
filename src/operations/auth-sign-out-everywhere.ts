import { signOutEverywhereContract } from '../contract/auth-sessions.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { signOutEverywhere } from '../issuer/own-sessions.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'

export function authSignOutEverywhere(issuer: BuiltInIssuer): Operation {
  return operation(signOutEverywhereContract, async ({ caller, request, reply }) => {
    await signOutEverywhere(issuer, caller, clientOf(request))
    reply.code(204)
  })
}
