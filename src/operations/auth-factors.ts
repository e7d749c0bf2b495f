import { factorsContract } from '../contract/auth-factors.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { listFactors } from '../issuer/own-factors.ts'
import { type Operation, operation } from '../server/operation.ts'

export function authFactors(issuer: BuiltInIssuer): Operation {
  return operation(factorsContract, async ({ caller }) => listFactors(issuer, caller))
}
