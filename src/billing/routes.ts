import { operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Billing } from './billing.ts'
import { type CheckoutProcessor, openCheckout, openPortal } from './checkout.ts'
import { billingCheckoutContract, billingPortalContract } from './contract.ts'

/** One webhook for each configured payment processor. */
export function webhooks({ processors, receive }: Billing) {
  return processors.map(({ id, webhook }) =>
    operation(webhook, async ({ body, request }) => ({
      received: true as const,
      outcome: await receive(id, body, request.headers),
    })),
  )
}

/** Pages of the payment processor for buying and for managing what was bought. */
export function checkoutOperations(rows: Rows, processor: CheckoutProcessor) {
  return {
    checkout: operation(billingCheckoutContract, async ({ caller, body }) =>
      openCheckout(rows, processor, caller, body),
    ),
    portal: operation(billingPortalContract, async ({ caller, body }) => openPortal(rows, processor, caller, body)),
  }
}
