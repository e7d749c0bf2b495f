import { type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { billingPortalContract } from './checkout-contract.ts'
import { openPortal, type Sales } from './sales.ts'

export function billingPortal(rows: Rows, sales: Sales): Operation {
  return operation(billingPortalContract, async ({ caller, body }) => openPortal(rows, sales, caller, body))
}
