import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { removeFactorContract } from '../contract/factors.ts'
import { removeFactor } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authFactorsRemove(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(removeFactorContract, async ({ caller, params, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const asked = { factorId: params.factorId, password: new Secret(body.password) }
    await removeFactor(issuer, caller, asked, clientOf(request))
    reply.code(204)
  })
}
