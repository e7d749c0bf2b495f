import type { Billing } from '../billing/billing.ts'
import type { Rows } from '../database/database.ts'
import type { Operation } from '../server/operation.ts'
import { billingCheckout } from './billing-checkout.ts'
import { billingPortal } from './billing-portal.ts'
import { webhooks } from './webhooks.ts'

/** Everything that billing answers; buying only where the payment processor can be asked. */
export function billingOperations(rows: Rows, billing: Billing): readonly Operation[] {
  const { sales } = billing
  return [...webhooks(billing), ...(sales ? [billingCheckout(rows, sales), billingPortal(rows, sales)] : [])]
}
