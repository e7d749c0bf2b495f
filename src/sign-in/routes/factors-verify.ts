import { type Operation, operation } from '../../identity/operation.ts'
import { verifyFactorContract } from '../contract/factors.ts'
import { verifyFactor } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authFactorsVerify(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(verifyFactorContract, async ({ caller, params, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    return verifyFactor(issuer, caller, { factorId: params.factorId, code: body.code }, clientOf(request))
  })
}
