import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { readPayer } from './payer.ts'
import { isMapped } from './plans.ts'
import type { CheckoutApi } from './processor.ts'

/** The processor that has the checkout. */
export interface CheckoutProcessor extends CheckoutApi {
  readonly processor: string
}

interface CheckoutOrder {
  readonly priceId: string
  readonly quantity?: number
  readonly orgId?: string
  readonly successUrl: string
  readonly cancelUrl?: string
}

/**
 * Creates a page where the caller, or one of the caller's organizations, buys a plan. Throws the problems of `readPayer` and `CheckoutApi`.
 */
export async function openCheckout(
  rows: Rows,
  processor: CheckoutProcessor,
  caller: UserCaller,
  order: CheckoutOrder,
): Promise<{ url: string }> {
  const payer = await readPayer(rows, caller, processor.processor, order.orgId)
  // A processor may also have prices that users of this service must not buy.
  if (!(await isMapped(rows, [order.priceId]))) refuse('price_unknown')
  const { priceId, quantity = 1, successUrl, cancelUrl } = order
  return processor.openCheckout({ payer, priceId, quantity, successUrl, cancelUrl })
}

/**
 * Creates a page where the caller, or one of the caller's organizations, manages subscriptions. Throws the problems of `readPayer` and
 * `CheckoutApi`.
 */
export async function openPortal(
  rows: Rows,
  processor: CheckoutProcessor,
  caller: UserCaller,
  { orgId, returnUrl }: { orgId?: string; returnUrl: string },
): Promise<{ url: string }> {
  const { customerId } = await readPayer(rows, caller, processor.processor, orgId)
  return processor.openPortal(customerId ?? refuse('customer_unknown'), returnUrl)
}
