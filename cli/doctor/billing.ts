import { listWaitingCustomers } from '../../src/billing/customers.ts'
import { listUnmappedPrices } from '../../src/billing/plans.ts'
import { isConfigured } from '../../src/billing/processor.ts'
import type { SecretSetting } from '../../src/billing/processor-settings.ts'
import type { Config } from '../../src/config.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, warn } = resultsOf('billing')

/** Incomplete settings of a processor, prices without a plan, customers without an owner. */
export async function* checkBilling(
  rows: Rows,
  { billing: { processors } }: Config,
): AsyncGenerator<CheckResult, void, void> {
  const [prices, customers] = [await listUnmappedPrices(rows), await listWaitingCustomers(rows)]
  const configured = processors.filter(isConfigured)
  if (configured.length + prices.length + customers.length === 0) return
  for (const { kind, name, isSet } of configured.flatMap(({ secrets }) => secrets))
    if (!isSet) yield warn(`${name} is not set: ${missingSecrets[kind]}.`)
  for (const { price_id, subscriptions } of prices)
    yield warn(`The price ${price_id} of ${counted(subscriptions, 'subscription')} has no plan: muster plans map.`)
  if (customers.length > 0)
    yield warn(
      `${counted(customers.length, 'customer')} of the payment processor without an owner: muster billing waiting.`,
    )
  if (prices.length + customers.length === 0) yield ok('Every price has a plan, and every customer has an owner.')
}

const missingSecrets: Readonly<Record<SecretSetting['kind'], string>> = {
  'webhook-secrets': 'every webhook event is refused. Set it to the signing secret of the endpoint',
  'api-key': 'checkout is not available, and lost events are not found',
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
