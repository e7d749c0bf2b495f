import { openCheckout, type Sales } from '../billing/sales.ts'
import { billingCheckoutContract } from '../contract/billing-checkout.ts'
import type { Rows } from '../database/database.ts'
import { type Operation, operation } from '../server/operation.ts'

export function billingCheckout(rows: Rows, sales: Sales): Operation {
  return operation(billingCheckoutContract, async ({ caller, body }) => openCheckout(rows, sales, caller, body))
}
