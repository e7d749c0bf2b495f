import { type Operation, operation } from '../../identity/operation.ts'
import { refuse } from '../../platform/problems.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Attempts, deviceTokenOf, unknownDevice } from '../sessions/attempts.ts'
import { writeInSession } from '../sessions/current-session.ts'
import { findDevice } from '../sessions/devices.ts'
import { createPasskeyOptions, registerPasskey } from './add-passkey.ts'
import { listFactorNames } from './factor-rows.ts'
import {
  addPasskeyContract,
  passkeyOptionsContract,
  passkeySignInContract,
  passkeySignInOptionsContract,
  passkeyStepUpOptionsContract,
  relatedOriginsContract,
} from './passkey-contract.ts'
import { signInWithPasskey } from './passkey-sign-in.ts'
import { othersOf } from './routes.ts'
import { createRequestOptions } from './show-passkey.ts'

export function passkeyOptionsRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof passkeyOptionsContract> {
  return operation(passkeyOptionsContract, async (input) => ({
    options: await attempts.byAccount(input, () => createPasskeyOptions(issuer, input.caller)),
  }))
}

export function addPasskeyRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof addPasskeyContract> {
  return operation(addPasskeyContract, async (input) => {
    const { caller, body } = input
    const { friendlyName, credential } = body
    const passkey = { friendlyName, credential, othersEnd: othersOf(body) }
    return attempts.byAccount(input, (client) => registerPasskey(issuer, caller, passkey, client))
  })
}

export function passkeySignInOptionsRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof passkeySignInOptionsContract> {
  return operation(passkeySignInOptionsContract, async (input) => ({
    options: await attempts.bySender(input, unknownDevice, () =>
      createRequestOptions(issuer, issuer.database, { purpose: 'sign_in' }),
    ),
  }))
}

export function passkeySignInRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof passkeySignInContract> {
  return operation(passkeySignInContract, async (input) => {
    const { credential } = input.body
    const deviceToken = deviceTokenOf(input.body)
    const credentialId = Buffer.from(credential.id, 'base64url')
    const device = async () => deviceToken && findDevice(issuer.database, { token: deviceToken, credentialId })
    return attempts.bySender(input, device, (client) => signInWithPasskey(issuer, { credential, deviceToken }, client))
  })
}

export function passkeyStepUpOptionsRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof passkeyStepUpOptionsContract> {
  return operation(passkeyStepUpOptionsContract, async (input) => ({
    options: await attempts.byAccount(input, () =>
      writeInSession(issuer.database, input.caller, async (rows, { accountId, sessionId }) => {
        const factors = await listFactorNames(rows, accountId)
        if (!factors.some(({ type }) => type === 'passkey'))
          refuse('factor_missing', { detail: 'The caller has no passkey.' })
        return createRequestOptions(issuer, rows, { purpose: 'session', accountId, sessionId })
      }),
    ),
  }))
}

export function relatedOriginsRoute(origins: readonly string[]): Operation<typeof relatedOriginsContract> {
  return operation(relatedOriginsContract, async () => ({ origins }))
}
