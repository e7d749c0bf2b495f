import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import {
  changePasswordContract,
  endSessionContract,
  listSessionsContract,
  signOutEverywhereContract,
} from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { changePassword } from '../passwords/change-password.ts'
import { clientOf } from '../sessions/client.ts'
import { endSession, listSessions, signOutEverywhere } from '../sessions/sessions.ts'
import type { Attempts } from './attempts.ts'

export function listSessionsRoute(issuer: BuiltInIssuer): Operation<typeof listSessionsContract> {
  return operation(listSessionsContract, async ({ caller }) => ({ sessions: await listSessions(issuer, caller) }))
}

export function endSessionRoute(issuer: BuiltInIssuer): Operation<typeof endSessionContract> {
  return operation(endSessionContract, async ({ caller, params, request }) =>
    endSession(issuer, caller, params.sessionId, clientOf(request)),
  )
}

export function signOutEverywhereRoute(issuer: BuiltInIssuer): Operation<typeof signOutEverywhereContract> {
  return operation(signOutEverywhereContract, async ({ caller, request }) =>
    signOutEverywhere(issuer, caller, clientOf(request)),
  )
}

export function changePasswordRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof changePasswordContract> {
  return operation(changePasswordContract, async (input) => {
    const { caller, body } = input
    const passwords = {
      currentPassword: new Secret(body.currentPassword),
      newPassword: new Secret(body.newPassword),
    }
    await attempts.byAccount(input, (client) => changePassword(issuer, caller, passwords, client))
  })
}
