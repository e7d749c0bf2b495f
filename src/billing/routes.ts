import type { Operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Billing } from './billing.ts'
import { billingCheckout } from './checkout-route.ts'
import { billingPortal } from './portal-route.ts'
import { webhooks } from './webhook-routes.ts'

/** Everything that billing answers; buying only where the payment processor can be asked. */
export function billingOperations(rows: Rows, billing: Billing): readonly Operation[] {
  const { sales } = billing
  return [...webhooks(billing), ...(sales ? [billingCheckout(rows, sales), billingPortal(rows, sales)] : [])]
}
