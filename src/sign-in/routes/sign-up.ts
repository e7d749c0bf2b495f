import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { signUpContract } from '../contract/sign-in.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { signUp } from '../sign-up.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

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
