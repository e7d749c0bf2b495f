import { recoveryCodesContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { renewRecoveryCodes } from '../issuer/own-factors.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authRecoveryCodes(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(recoveryCodesContract, async ({ caller, body, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const recoveryCodes = await renewRecoveryCodes(issuer, caller, new Secret(body.password), clientOf(request))
    reply.code(201)
    return { recoveryCodes }
  })
}
