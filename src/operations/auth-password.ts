import { changePasswordContract } from '../contract/auth-sessions.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { changePassword } from '../issuer/password-change.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authPassword(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(changePasswordContract, async ({ caller, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const passwords = {
      currentPassword: new Secret(body.currentPassword),
      newPassword: new Secret(body.newPassword),
    }
    await changePassword(issuer, caller, passwords, clientOf(request))
    reply.code(204)
  })
}
