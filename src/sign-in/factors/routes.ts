import { operations } from '../../identity/operation.ts'
import { opaqueTokenHash, optionalSecret, Secret } from '../../platform/secret.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { factorContracts } from './contract.ts'
import {
  enrolFactor,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  verifyFactor,
} from './manage-factors.ts'
import { passkeyContracts } from './passkey-contract.ts'
import { createPasskeyOptions, createStepUpOptions, registerPasskey, signInWithPasskey } from './passkeys.ts'
import { optionalProof } from './second-proof.ts'
import { createRequestOptions } from './verify-passkey.ts'
import { relatedOrigins } from './webauthn.ts'

export function factorOperations(issuer: BuiltInIssuer, attempts: Attempts) {
  const { database } = issuer
  return operations(factorContracts, {
    listFactors: async ({ caller }) => listFactors(database, caller),
    enrolFactor: async (input) => {
      const { caller, body } = input
      const factor = { friendlyName: body.friendlyName, password: new Secret(body.password) }
      return attempts.byAccount(input, (client) => enrolFactor(issuer, caller, factor, client))
    },
    verifyFactor: async (input) => {
      const { caller, params, body } = input
      const proof = { factorId: params.factorId, code: body.code, sessionsToEnd: sessionsToEndOf(body) }
      return attempts.byAccount(input, (client) => verifyFactor(issuer, caller, proof, client))
    },
    renameFactor: async ({ caller, params, body }) => renameFactor(database, caller, { ...params, ...body }),
    removeFactor: async (input) => {
      const { caller, params, body } = input
      const proof = optionalProof(body.code === undefined ? body : { ...params, ...body })
      const password = optionalSecret(body.password)
      const removal = { ...params, password, proof, sessionsToEnd: sessionsToEndOf(body) }
      await attempts.byAccount(input, (client) => removeFactor(issuer, caller, removal, client))
    },
    renewRecoveryCodes: async (input) => {
      const { caller, body } = input
      const password = new Secret(body.password)
      return {
        recoveryCodes: await attempts.byAccount(input, (client) =>
          renewRecoveryCodes(issuer, caller, password, client),
        ),
      }
    },
    addPasskey: async (input) => {
      const { caller, body } = input
      const { friendlyName, credential } = body
      const passkey = { friendlyName, credential, sessionsToEnd: sessionsToEndOf(body) }
      return attempts.byAccount(input, (client) => registerPasskey(issuer, caller, passkey, client))
    },
  })
}

export function passkeyOperations(issuer: BuiltInIssuer, attempts: Attempts) {
  const { passkeys } = issuer.settings
  return operations(passkeyContracts, {
    passkeyOptions: async (input) => ({
      options: await attempts.byAccount(input, () => createPasskeyOptions(issuer, input.caller)),
    }),
    passkeySignInOptions: async (input) => ({
      options: await attempts.bySender(input, undefined, () =>
        createRequestOptions(issuer, issuer.database, { purpose: 'sign_in' }),
      ),
    }),
    passkeySignIn: async (input) => {
      const { credential, device_token } = input.body
      const deviceToken = optionalSecret(device_token)
      const credentialId = Buffer.from(credential.id, 'base64url')
      const device = deviceToken && { hash: opaqueTokenHash(deviceToken.open()), credentialId }
      return attempts.bySender(input, device, (client) =>
        signInWithPasskey(issuer, { credential, deviceToken }, client),
      )
    },
    passkeyStepUpOptions: async (input) => ({
      options: await attempts.byAccount(input, () => createStepUpOptions(issuer, input.caller)),
    }),
    relatedOrigins: () => ({ origins: passkeys ? relatedOrigins(passkeys) : [] }),
  })
}

function sessionsToEndOf({ endOtherSessions = true }: { readonly endOtherSessions?: boolean }): 'all' | 'weak' {
  return endOtherSessions ? 'all' : 'weak'
}
