import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { completeRecoveryContract, inspectLinkContract, requestRecoveryContract } from '../contract/recovery.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { completeRecovery } from '../recovery/complete-recovery.ts'
import { inspectLink } from '../recovery/inspect-link.ts'
import { requestRecovery } from '../recovery/recovery-requests.ts'
import type { Attempts } from './attempts.ts'
import { optionalProof } from './proofs.ts'
import { unknownDevice } from './sign-in.ts'

export function requestRecoveryRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof requestRecoveryContract> {
  return operation(requestRecoveryContract, async (input) => {
    await attempts.bySender(input, unknownDevice, (client) => requestRecovery(issuer, input.body.email, client))
    return {}
  })
}

export function inspectLinkRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof inspectLinkContract> {
  return operation(inspectLinkContract, async (input) =>
    attempts.bySender(input, unknownDevice, () => inspectLink(issuer, new Secret(input.body.token))),
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
    const device = await attempts.bySender(input, unknownDevice, (client) => completeRecovery(issuer, recovery, client))
    return { device_token: device.open() }
  })
}
