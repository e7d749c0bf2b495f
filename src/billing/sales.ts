import type { Caller } from '../identity/caller.ts'
import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { ProcessorId } from './events.ts'
import { type Payer, readPayer } from './payer.ts'
import { isMapped } from './plans.ts'

/** The processor's pages for buying and for managing what was bought. Problems: `price_unknown`, `customer_unknown`, `processor_…`. */
export interface Sales {
  readonly processor: ProcessorId
  checkout(order: {
    readonly payer: Payer
    readonly priceId: string
    readonly quantity: number
    readonly successUrl: string
    readonly cancelUrl?: string | undefined
  }): Promise<{ readonly url: string }>
  portal(customerId: string, returnUrl: string): Promise<{ readonly url: string }>
}

export interface CheckoutOrder {
  readonly priceId: string
  readonly quantity?: number
  readonly orgId?: string
  readonly successUrl: string
  readonly cancelUrl?: string
}

/** A page where the caller, or an organisation of theirs, buys a plan. Problems: those of `readPayer` and of `Sales`. */
export async function openCheckout(
  rows: Rows,
  sales: Sales,
  caller: Caller,
  order: CheckoutOrder,
): Promise<{ url: string }> {
  const payer = await readPayer(rows, caller, sales.processor, order.orgId)
  // A price that is no plan's here was not meant for this service's customers.
  if (!(await isMapped(rows, [order.priceId]))) refuse('price_unknown')
  const { priceId, quantity = 1, successUrl, cancelUrl } = order
  return sales.checkout({ payer, priceId, quantity, successUrl, cancelUrl })
}

/** A page where the caller, or an organisation of theirs, manages what was bought. Problems: those of `readPayer` and of `Sales`. */
export async function openPortal(
  rows: Rows,
  sales: Sales,
  caller: Caller,
  { orgId, returnUrl }: { orgId?: string; returnUrl: string },
): Promise<{ url: string }> {
  const { customerId } = await readPayer(rows, caller, sales.processor, orgId)
  return sales.portal(customerId ?? refuse('customer_unknown'), returnUrl)
}
