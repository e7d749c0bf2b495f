import type { Static } from 'typebox'
import { secondStepContract } from '../contract/auth-sign-in.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { completeSignIn, type Proof } from '../issuer/second-step.ts'
import { refuse } from '../problems.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'
import type { SignInLimits } from './auth-operations.ts'

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
