import { type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { billingCheckoutContract } from './checkout-contract.ts'
import { openCheckout, type Sales } from './sales.ts'

export function billingCheckout(rows: Rows, sales: Sales): Operation {
  return operation(billingCheckoutContract, async ({ caller, body }) => openCheckout(rows, sales, caller, body))
}
