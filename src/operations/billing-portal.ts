import { openPortal, type Sales } from '../billing/sales.ts'
import { billingPortalContract } from '../contract/billing-checkout.ts'
import type { Rows } from '../database/database.ts'
import { type Operation, operation } from '../server/operation.ts'

export function billingPortal(rows: Rows, sales: Sales): Operation {
  return operation(billingPortalContract, async ({ caller, body }) => openPortal(rows, sales, caller, body))
}
