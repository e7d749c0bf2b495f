import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import {
  enrolFactorContract,
  listFactorsContract,
  removeFactorContract,
  renameFactorContract,
  renewRecoveryCodesContract,
  verifyFactorContract,
} from '../contract/factors.ts'
import {
  enrolFactor,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
  verifyFactor,
} from '../factors/manage-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import type { Attempts } from './attempts.ts'
import { optionalProof } from './proofs.ts'

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
    const proof = { factorId: params.factorId, code: body.code, othersEnd: othersOf(body) }
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
      othersEnd: othersOf(body),
    }
    await attempts.byAccount(input, (client) => removeFactor(issuer, caller, removal, client))
  })
}

export function othersOf({ endOtherSessions = true }: { readonly endOtherSessions?: boolean }): 'all' | 'weak' {
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
