import { verifyFactorContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { verifyFactor } from '../issuer/own-factors.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authFactorsVerify(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(verifyFactorContract, async ({ caller, params, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    return verifyFactor(issuer, caller, { factorId: params.factorId, code: body.code }, clientOf(request))
  })
}
