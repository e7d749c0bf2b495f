import { type Operation, operation } from '../../identity/operation.ts'
import { factorsContract } from '../contract/factors.ts'
import { listFactors } from '../factors/own-factors.ts'
import type { BuiltInIssuer } from '../issuer.ts'

export function authFactors(issuer: BuiltInIssuer): Operation {
  return operation(factorsContract, async ({ caller }) => listFactors(issuer, caller))
}
