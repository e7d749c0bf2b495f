import { removeFactorContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { removeFactor } from '../issuer/own-factors.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authFactorsRemove(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(removeFactorContract, async ({ caller, params, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const asked = { factorId: params.factorId, password: new Secret(body.password) }
    await removeFactor(issuer, caller, asked, clientOf(request))
    reply.code(204)
  })
}
