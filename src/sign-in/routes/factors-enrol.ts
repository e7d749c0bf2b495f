import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { enrolFactorContract } from '../contract/factors.ts'
import { enrolFactor } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authFactorsEnrol(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(enrolFactorContract, async ({ caller, body: { friendlyName, password }, request, reply }) => {
    reply.headers(await limits.take('sign-ins', caller.subject))
    const asked = { friendlyName, password: new Secret(password) }
    const enrolment = await enrolFactor(issuer, caller, asked, clientOf(request))
    reply.code(201)
    return enrolment
  })
}
