import type { Static } from 'typebox'
import { type Operation, operation } from '../../identity/operation.ts'
import { refuse } from '../../platform/problems.ts'
import { Secret } from '../../platform/secret.ts'
import { secondStepContract } from '../contract/sign-in.ts'
import { completeSignIn, type Proof } from '../factors/second-step.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import type { SignInLimits } from './routes.ts'

export function authSignInSecondStep(issuer: BuiltInIssuer, limits: SignInLimits): Operation {
  return operation(secondStepContract, async ({ body, request, reply }) => {
    const proof = proofOf(body)
    const client = clientOf(request)
    reply.headers(await limits.take('sign-ins', client.network))
    return completeSignIn(issuer, new Secret(body.challenge), proof, client)
  })
}

type Body = Static<typeof secondStepContract.body>

/** One of the two ways, whole, and nothing of the other. */
function proofOf({ factorId, code, recoveryCode }: Body): Proof {
  if (recoveryCode !== undefined && factorId === undefined && code === undefined) return { recoveryCode }
  if (recoveryCode === undefined && factorId !== undefined && code !== undefined) return { factorId, code }
  return refuse('input_invalid', {
    errors: [{ pointer: '', detail: 'must hold either factorId and code, or recoveryCode' }],
    detail: 'See errors for each fault of the input.',
  })
}
