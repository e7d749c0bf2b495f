import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { readPayer } from './payer.ts'
import { isMapped } from './plans.ts'
import type { CheckoutApi } from './processor.ts'

/** The processor whose pages people buy on. */
export interface CheckoutProcessor extends CheckoutApi {
  readonly processor: string
}

export interface CheckoutOrder {
  readonly priceId: string
  readonly quantity?: number
  readonly orgId?: string
  readonly successUrl: string
  readonly cancelUrl?: string
}

/** A page where the caller, or an organisation of theirs, buys a plan. Problems: those of `readPayer` and of `CheckoutApi`. */
export async function openCheckout(
  rows: Rows,
  processor: CheckoutProcessor,
  caller: UserCaller,
  order: CheckoutOrder,
): Promise<{ url: string }> {
  const payer = await readPayer(rows, caller, processor.processor, order.orgId)
  // A processor may also have prices that are not meant for the users of this service.
  if (!(await isMapped(rows, [order.priceId]))) refuse('price_unknown')
  const { priceId, quantity = 1, successUrl, cancelUrl } = order
  return processor.openCheckout({ payer, priceId, quantity, successUrl, cancelUrl })
}

/** A page where the caller, or an organisation of theirs, manages subscriptions. Problems: those of `readPayer` and of `CheckoutApi`. */
export async function openPortal(
  rows: Rows,
  processor: CheckoutProcessor,
  caller: UserCaller,
  { orgId, returnUrl }: { orgId?: string; returnUrl: string },
): Promise<{ url: string }> {
  const { customerId } = await readPayer(rows, caller, processor.processor, orgId)
  return processor.openPortal(customerId ?? refuse('customer_unknown'), returnUrl)
}
