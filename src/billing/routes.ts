import { type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Billing } from './billing.ts'
import { type CheckoutProcessor, openCheckout, openPortal } from './checkout.ts'
import { billingCheckoutContract, billingPortalContract } from './contract.ts'

/** One webhook for each configured processor; checkout and portal where one of them has pages for buying. */
export function billingOperations(rows: Rows, billing: Billing): readonly Operation[] {
  const { checkout } = billing
  return [...webhooks(billing), ...(checkout ? [billingCheckout(rows, checkout), billingPortal(rows, checkout)] : [])]
}

function webhooks({ processors, receive }: Billing): Operation[] {
  return processors.map(({ id, webhook }) =>
    operation(webhook, async ({ body, request }) => ({
      received: true as const,
      outcome: await receive(id, body, request.headers),
    })),
  )
}

function billingCheckout(rows: Rows, processor: CheckoutProcessor): Operation {
  return operation(billingCheckoutContract, async ({ caller, body }) => openCheckout(rows, processor, caller, body))
}

function billingPortal(rows: Rows, processor: CheckoutProcessor): Operation {
  return operation(billingPortalContract, async ({ caller, body }) => openPortal(rows, processor, caller, body))
}
