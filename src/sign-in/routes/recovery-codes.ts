import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { recoveryCodesContract } from '../contract/factors.ts'
import { renewRecoveryCodes } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authRecoveryCodes(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(recoveryCodesContract, async ({ caller, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const recoveryCodes = await renewRecoveryCodes(issuer, caller, new Secret(body.password), clientOf(request))
    reply.code(201)
    return { recoveryCodes }
  })
}
