import { signOutContract } from '../contract/auth-sessions.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { signOut } from '../issuer/own-sessions.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'

export function authSignOut(issuer: BuiltInIssuer): Operation {
  return operation(signOutContract, async ({ caller, request, reply }) => {
    await signOut(issuer, caller, clientOf(request))
    reply.code(204)
  })
}
