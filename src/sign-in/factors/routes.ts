import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Attempts, optionalSecret } from '../sessions/attempts.ts'
import {
  addPasskeyContract,
  enrolFactorContract,
  listFactorsContract,
  removeFactorContract,
  renameFactorContract,
  renewRecoveryCodesContract,
  verifyFactorContract,
} from './contract.ts'
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
import { createPasskeyOptions, createStepUpOptions, registerPasskey, signInWithPasskey } from './passkeys.ts'
import { optionalProof } from './second-proof.ts'
import { createRequestOptions } from './verify-passkey.ts'

export function factorOperations(issuer: BuiltInIssuer, attempts: Attempts) {
  const { database } = issuer
  return {
    listFactors: operation(listFactorsContract, async ({ caller }) => listFactors(database, caller)),
    enrolFactor: operation(enrolFactorContract, async (input) => {
      const { caller, body } = input
      const factor = { friendlyName: body.friendlyName, password: new Secret(body.password) }
      return attempts.byAccount(input, (client) => enrolFactor(issuer, caller, factor, client))
    }),
    verifyFactor: operation(verifyFactorContract, async (input) => {
      const { caller, params, body } = input
      const proof = { factorId: params.factorId, code: body.code, sessionsToEnd: sessionsToEndOf(body) }
      return attempts.byAccount(input, (client) => verifyFactor(issuer, caller, proof, client))
    }),
    renameFactor: operation(renameFactorContract, async ({ caller, params, body }) =>
      renameFactor(database, caller, { ...params, ...body }),
    ),
    removeFactor: operation(removeFactorContract, async (input) => {
      const { caller, params, body } = input
      const proof = optionalProof(body.code === undefined ? body : { ...params, ...body })
      const password = optionalSecret(body.password)
      const removal = { ...params, password, proof, sessionsToEnd: sessionsToEndOf(body) }
      await attempts.byAccount(input, (client) => removeFactor(issuer, caller, removal, client))
    }),
    renewRecoveryCodes: operation(renewRecoveryCodesContract, async (input) => {
      const { caller, body } = input
      const password = new Secret(body.password)
      return {
        recoveryCodes: await attempts.byAccount(input, (client) =>
          renewRecoveryCodes(issuer, caller, password, client),
        ),
      }
    }),
  }
}

export function passkeyOperations(issuer: BuiltInIssuer, attempts: Attempts) {
  return {
    passkeyOptions: operation(passkeyOptionsContract, async (input) => ({
      options: await attempts.byAccount(input, () => createPasskeyOptions(issuer, input.caller)),
    })),
    addPasskey: operation(addPasskeyContract, async (input) => {
      const { caller, body } = input
      const { friendlyName, credential } = body
      const passkey = { friendlyName, credential, sessionsToEnd: sessionsToEndOf(body) }
      return attempts.byAccount(input, (client) => registerPasskey(issuer, caller, passkey, client))
    }),
    passkeySignInOptions: operation(passkeySignInOptionsContract, async (input) => ({
      options: await attempts.bySender(input, undefined, () =>
        createRequestOptions(issuer, issuer.database, { purpose: 'sign_in' }),
      ),
    })),
    passkeySignIn: operation(passkeySignInContract, async (input) => {
      const { credential, device_token } = input.body
      const deviceToken = optionalSecret(device_token)
      const credentialId = Buffer.from(credential.id, 'base64url')
      const device = deviceToken && { hash: opaqueTokenHash(deviceToken.open()), credentialId }
      return attempts.bySender(input, device, (client) =>
        signInWithPasskey(issuer, { credential, deviceToken }, client),
      )
    }),
    passkeyStepUpOptions: operation(passkeyStepUpOptionsContract, async (input) => ({
      options: await attempts.byAccount(input, () => createStepUpOptions(issuer, input.caller)),
    })),
  }
}

function sessionsToEndOf({ endOtherSessions = true }: { readonly endOtherSessions?: boolean }): 'all' | 'weak' {
  return endOtherSessions ? 'all' : 'weak'
}

export function relatedOriginsOperation(origins: readonly string[]) {
  return operation(relatedOriginsContract, async () => ({ origins }))
}
