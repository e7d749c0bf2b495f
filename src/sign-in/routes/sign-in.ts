import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { signInContract } from '../contract/sign-in.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { signIn } from '../sign-in.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authSignIn(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(signInContract, async ({ body, request, reply }) => {
    const client = clientOf(request)
    reply.headers(await limits.take('sign-ins', client.network))
    return signIn(issuer, { email: body.email, password: new Secret(body.password) }, client)
  })
}
