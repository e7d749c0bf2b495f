import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { type Operation, operation } from '../../identity/operation.ts'
import { refuse } from '../../platform/problems.ts'
import { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { deviceTokenOf } from '../sessions/client.ts'
import { writeInSession } from '../sessions/current-session.ts'
import {
  addPasskeyContract,
  enrolFactorContract,
  listFactorsContract,
  removeFactorContract,
  renameFactorContract,
  renewRecoveryCodesContract,
  verifyFactorContract,
} from './contract.ts'
import { listFactorNames } from './factor-rows.ts'
import {
  enrolFactor,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  verifyFactor,
} from './manage-factors.ts'
import {
  passkeyOptionsContract,
  passkeySignInContract,
  passkeySignInOptionsContract,
  passkeyStepUpOptionsContract,
  relatedOriginsContract,
} from './passkey-contract.ts'
import { createPasskeyOptions, registerPasskey, signInWithPasskey } from './passkeys.ts'
import { optionalProof } from './second-proof.ts'
import { createRequestOptions } from './verify-passkey.ts'

export function listFactorsRoute(issuer: BuiltInIssuer): Operation<typeof listFactorsContract> {
  return operation(listFactorsContract, async ({ caller }) => listFactors(issuer, caller))
}

export function enrolFactorRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof enrolFactorContract> {
  return operation(enrolFactorContract, async (input) => {
    const { caller, body } = input
    const factor = { friendlyName: body.friendlyName, password: new Secret(body.password) }
    return attempts.byAccount(input, (client) => enrolFactor(issuer, caller, factor, client))
  })
}

export function verifyFactorRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof verifyFactorContract> {
  return operation(verifyFactorContract, async (input) => {
    const { caller, params, body } = input
    const proof = { factorId: params.factorId, code: body.code, sessionsToEnd: sessionsToEndOf(body) }
    return attempts.byAccount(input, (client) => verifyFactor(issuer, caller, proof, client))
  })
}

export function renameFactorRoute(issuer: BuiltInIssuer): Operation<typeof renameFactorContract> {
  return operation(renameFactorContract, async ({ caller, params, body }) =>
    renameFactor(issuer, caller, { factorId: params.factorId, friendlyName: body.friendlyName }),
  )
}

export function removeFactorRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof removeFactorContract> {
  return operation(removeFactorContract, async (input) => {
    const { caller, params, body } = input
    const { factorId } = params
    const { password, code } = body
    const removal = {
      factorId,
      password: password === undefined ? undefined : new Secret(password),
      proof: optionalProof(code === undefined ? body : { factorId, ...body }),
      sessionsToEnd: sessionsToEndOf(body),
    }
    await attempts.byAccount(input, (client) => removeFactor(issuer, caller, removal, client))
  })
}

function sessionsToEndOf({ endOtherSessions = true }: { readonly endOtherSessions?: boolean }): 'all' | 'weak' {
  return endOtherSessions ? 'all' : 'weak'
}

export function renewRecoveryCodesRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof renewRecoveryCodesContract> {
  return operation(renewRecoveryCodesContract, async (input) => {
    const { caller, body } = input
    const password = new Secret(body.password)
    const recoveryCodes = await attempts.byAccount(input, (client) =>
      renewRecoveryCodes(issuer, caller, password, client),
    )
    return { recoveryCodes }
  })
}

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
    const passkey = { friendlyName, credential, sessionsToEnd: sessionsToEndOf(body) }
    return attempts.byAccount(input, (client) => registerPasskey(issuer, caller, passkey, client))
  })
}

export function passkeySignInOptionsRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof passkeySignInOptionsContract> {
  return operation(passkeySignInOptionsContract, async (input) => ({
    options: await attempts.bySender(input, undefined, () =>
      createRequestOptions(issuer, issuer.database, { purpose: 'sign_in' }),
    ),
  }))
}

export function passkeySignInRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof passkeySignInContract> {
  return operation(passkeySignInContract, async (input) => {
    const { credential } = input.body
    const deviceToken = deviceTokenOf(input.body)
    const credentialId = Buffer.from(credential.id, 'base64url')
    const device = deviceToken && { hash: opaqueTokenHash(deviceToken.open()), credentialId }
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
