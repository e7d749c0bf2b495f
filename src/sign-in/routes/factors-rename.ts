import { type Operation, operation } from '../../identity/operation.ts'
import { renameFactorContract } from '../contract/factors.ts'
import { renameFactor } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'

export function authFactorsRename(issuer: BuiltInIssuer): Operation {
  return operation(renameFactorContract, async ({ caller, params, body }) =>
    renameFactor(issuer, caller, { factorId: params.factorId, friendlyName: body.friendlyName }),
  )
}
