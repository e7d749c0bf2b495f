import { enrolFactorContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { enrolFactor } from '../issuer/own-factors.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

export function authFactorsEnrol(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(enrolFactorContract, async ({ caller, body: { friendlyName, password }, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const asked = { friendlyName, password: new Secret(password) }
    const enrolment = await enrolFactor(issuer, caller, asked, clientOf(request))
    reply.code(201)
    return enrolment
  })
}
