import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { optionalProof } from '../factors/routes.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Attempts, replyWithoutSession } from '../sessions/attempts.ts'
import { clientOf } from '../sessions/client.ts'
import { confirmSignUp } from '../sign-up.ts'
import { completeRecovery } from './complete-recovery.ts'
import {
  completeRecoveryContract,
  confirmEmailChangeContract,
  confirmSignUpContract,
  inspectLinkContract,
  requestEmailChangeContract,
  requestRecoveryContract,
  undoEmailChangeContract,
  withdrawEmailChangeContract,
} from './contract.ts'
import { confirmEmailChange, requestEmailChange, undoEmailChange, withdrawEmailChange } from './email-change.ts'
import { inspectLink } from './inspect-link.ts'
import { requestRecovery } from './recovery-requests.ts'

export function requestRecoveryRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof requestRecoveryContract> {
  return operation(requestRecoveryContract, async (input) => {
    await attempts.bySender(input, undefined, (client) => requestRecovery(issuer, input.body.email, client))
    return {}
  })
}

export function inspectLinkRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof inspectLinkContract> {
  return operation(inspectLinkContract, async (input) =>
    attempts.bySender(input, undefined, () => inspectLink(issuer, new Secret(input.body.token))),
  )
}

export function completeRecoveryRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof completeRecoveryContract> {
  return operation(completeRecoveryContract, async (input) => {
    const { token, newPassword } = input.body
    const recovery = {
      token: new Secret(token),
      newPassword: newPassword === undefined ? undefined : new Secret(newPassword),
      proof: optionalProof(input.body),
    }
    const device = await attempts.bySender(input, undefined, (client) => completeRecovery(issuer, recovery, client))
    return { device_token: device.open() }
  })
}

export function confirmSignUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof confirmSignUpContract> {
  return operation(confirmSignUpContract, async (input) => {
    const { token, password, displayName, signIn: opensSession = true } = input.body
    const confirmation = { token: new Secret(token), password: new Secret(password), displayName, opensSession }
    const result = await attempts.bySender(input, undefined, (client) => confirmSignUp(issuer, confirmation, client))
    return result === 'created' ? replyWithoutSession(input) : result
  })
}

export function requestEmailChangeRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof requestEmailChangeContract> {
  return operation(requestEmailChangeContract, async (input) => {
    const { caller, body } = input
    await attempts.byAccount(input, (client) => requestEmailChange(issuer, caller, body.newEmail, client))
    return {}
  })
}

export function withdrawEmailChangeRoute(issuer: BuiltInIssuer): Operation<typeof withdrawEmailChangeContract> {
  return operation(withdrawEmailChangeContract, async ({ caller, request }) =>
    withdrawEmailChange(issuer, caller, clientOf(request)),
  )
}

export function confirmEmailChangeRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof confirmEmailChangeContract> {
  return operation(confirmEmailChangeContract, async (input) => {
    const token = new Secret(input.body.token)
    await attempts.bySender(input, undefined, (client) => confirmEmailChange(issuer, token, client))
  })
}

export function undoEmailChangeRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof undoEmailChangeContract> {
  return operation(undoEmailChangeContract, async (input) => {
    const token = new Secret(input.body.token)
    await attempts.bySender(input, undefined, (client) => undoEmailChange(issuer, token, client))
  })
}
