import { signUpContract } from '../contract/auth-sign-in.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { signUp } from '../issuer/sign-up.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authSignUp(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(signUpContract, async ({ body: { email, password, invitation }, request, reply }) => {
    const client = clientOf(request)
    reply.headers(await limits.take('sign-ins', client.network))
    const asked = { email, password: new Secret(password), ...(invitation && { invitation: new Secret(invitation) }) }
    const tokens = await signUp(issuer, asked, client)
    reply.code(201)
    return tokens
  })
}
