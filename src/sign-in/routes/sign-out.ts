import { type Operation, operation } from '../../identity/operation.ts'
import { signOutContract } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { signOut } from '../sessions/own-sessions.ts'
import { clientOf } from './client.ts'

export function authSignOut(issuer: BuiltInIssuer): Operation {
  return operation(signOutContract, async ({ caller, request, reply }) => {
    await signOut(issuer, caller, clientOf(request))
    reply.code(204)
  })
}
