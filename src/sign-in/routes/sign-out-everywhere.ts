import { type Operation, operation } from '../../identity/operation.ts'
import { signOutEverywhereContract } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { signOutEverywhere } from '../sessions/own-sessions.ts'
import { clientOf } from './client.ts'

export function authSignOutEverywhere(issuer: BuiltInIssuer): Operation {
  return operation(signOutEverywhereContract, async ({ caller, request, reply }) => {
    await signOutEverywhere(issuer, caller, clientOf(request))
    reply.code(204)
  })
}
