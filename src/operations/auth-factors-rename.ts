import { renameFactorContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { renameFactor } from '../issuer/own-factors.ts'
import { type Operation, operation } from '../server/operation.ts'

export function authFactorsRename(issuer: BuiltInIssuer): Operation {
  return operation(renameFactorContract, async ({ caller, params, body }) =>
    renameFactor(issuer, caller, { factorId: params.factorId, friendlyName: body.friendlyName }),
  )
}
