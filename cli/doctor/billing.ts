import { listWaitingCustomers } from '../../src/billing/customers.ts'
import { listUnmappedPrices } from '../../src/billing/plans.ts'
import type { Config } from '../../src/config.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { about, type Finding } from './finding.ts'

const { ok, warn } = about('billing')

/** Settings that do half of the work, prices that mean no plan, customers that belong to nobody. */
export async function* examineBilling(
  rows: Rows,
  { billing: { stripe } }: Config,
): AsyncGenerator<Finding, void, void> {
  const [prices, customers] = [await listUnmappedPrices(rows), await listWaitingCustomers(rows)]
  const isUsed = stripe.webhookSecret !== undefined || stripe.secretKey !== undefined
  if (!isUsed && prices.length + customers.length === 0) return
  if (isUsed && !stripe.webhookSecret)
    yield warn('STRIPE_WEBHOOK_SECRET is not set, so every event is refused: set it to the secret of the endpoint.')
  if (isUsed && !stripe.secretKey)
    yield warn('STRIPE_SECRET_KEY is not set: nothing can be bought, and lost events are not found.')
  for (const { price_id, subscriptions } of prices)
    yield warn(`The price ${price_id} of ${counted(subscriptions, 'subscription')} means no plan: muster plans map.`)
  if (customers.length > 0)
    yield warn(
      `${counted(customers.length, 'customer')} of the payment processor without an owner: muster billing waiting.`,
    )
  if (prices.length + customers.length === 0)
    yield ok('Every price means a plan, and every customer belongs to somebody.')
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
