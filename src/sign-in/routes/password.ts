import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { changePasswordContract } from '../contract/sessions.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { changePassword } from '../passwords/password-change.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

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
