import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import type { checkoutContracts } from './contract.ts'
import { readPayer } from './payer.ts'
import { isMapped } from './plans.ts'
import type { CheckoutApi } from './processor.ts'

/** The processor that has the checkout. */
export interface CheckoutProcessor extends CheckoutApi {
  readonly processor: string
  /** When the window of a key ends that is `windowMs` long and that all nodes share. */
  readonly endOfWindow: (call: { readonly key: string; readonly windowMs: number }) => Promise<number>
}

type CheckoutOrder = Static<typeof checkoutContracts.checkout.body> & { readonly orgId?: string }

/** How long the same order opens the same page, so that two clicks are one purchase. */
const sameOrderMs = 60_000

/**
 * Creates a page where the caller, or one of the caller's organizations, buys a plan, or changes to it. Throws the problems of `readPayer`
 * and `CheckoutApi`, and `subscription_exists` for a subscription of another processor.
 */
export async function openCheckout(
  rows: Rows,
  processor: CheckoutProcessor,
  caller: UserCaller,
  order: CheckoutOrder,
): Promise<{ url: string; kind: 'checkout' | 'change' }> {
  const payer = await readPayer(rows, caller, processor.processor, order.orgId)
  // A processor may also have prices that users of this service must not buy.
  if (!(await isMapped(rows, [order.priceId]))) refuse('price_unknown')
  const { priceId, quantity, successUrl, cancelUrl, additional = false } = order
  const { subscription } = payer
  const page = { priceId, quantity, successUrl, cancelUrl }
  const sameAs = await firstOfSame(processor, [payer, page, additional])
  if (subscription && !additional) {
    if (subscription.processor !== processor.processor)
      refuse('subscription_exists', { detail: 'Another payment processor has the subscription.' })
    const change = await processor.openChange({ ...page, subscription, sameAs })
    if (change) return { ...change, kind: 'change' }
  }
  return { ...(await processor.openCheckout({ ...page, payer, sameAs })), kind: 'checkout' }
}

/** A name for all same orders on all nodes until a minute after the first one. */
async function firstOfSame({ endOfWindow }: CheckoutProcessor, order: unknown): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(order)).digest('hex')
  return `${digest}-${await endOfWindow({ key: `checkout:${digest}`, windowMs: sameOrderMs })}`
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
