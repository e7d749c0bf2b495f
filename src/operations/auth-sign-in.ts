import { signInContract } from '../contract/auth-sign-in.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { signIn } from '../issuer/sign-in.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authSignIn(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(signInContract, async ({ body, request, reply }) => {
    const client = clientOf(request)
    reply.headers(await limits.take('sign-ins', client.network))
    return signIn(issuer, { email: body.email, password: new Secret(body.password) }, client)
  })
}
