import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { confirmEmailChange } from '../addresses/confirm-email-change.ts'
import { requestEmailChange } from '../addresses/request-email-change.ts'
import { undoEmailChange } from '../addresses/undo-email-change.ts'
import { withdrawEmailChange } from '../addresses/withdraw-email-change.ts'
import {
  confirmEmailChangeContract,
  confirmSignUpContract,
  requestEmailChangeContract,
  undoEmailChangeContract,
  withdrawEmailChangeContract,
} from '../contract/addresses.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from '../sessions/client.ts'
import { confirmSignUp } from '../sign-up.ts'
import type { Attempts } from './attempts.ts'
import { unknownDevice, withoutSession } from './sign-in.ts'

export function confirmSignUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof confirmSignUpContract> {
  return operation(confirmSignUpContract, async (input) => {
    const { token, password, signIn: opensSession = true } = input.body
    const confirmation = { token: new Secret(token), password: new Secret(password), opensSession }
    const result = await attempts.bySender(input, unknownDevice, (client) =>
      confirmSignUp(issuer, confirmation, client),
    )
    return result === 'created' ? withoutSession(input) : result
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
    await attempts.bySender(input, unknownDevice, (client) => confirmEmailChange(issuer, token, client))
  })
}

export function undoEmailChangeRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof undoEmailChangeContract> {
  return operation(undoEmailChangeContract, async (input) => {
    const token = new Secret(input.body.token)
    await attempts.bySender(input, unknownDevice, (client) => undoEmailChange(issuer, token, client))
  })
}
