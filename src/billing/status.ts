import type { Rows } from '../platform/database/database.ts'
import { isRunningOnANode } from '../platform/database/named-locks.ts'
import type { Billing } from './billing.ts'
import {
  listUnconfirmedCustomers,
  listWaitingCustomers,
  type SubscribedCustomer,
  type UnconfirmedCustomer,
  type WaitingCustomer,
} from './customers.ts'
import { listUnmappedPrices, type UnmappedPrice } from './plans.ts'
import { isConfigured, type ProcessorConfig } from './processor.ts'
import { type LastRuns, readLastRuns } from './reconcile.ts'
import { listedMax } from './status-contract.ts'

export interface BillingSettings {
  readonly processors: readonly ProcessorConfig[]
  readonly syncHours: number
}

/** The billing state for administrators. Reads only the database. */
export async function readBillingStatus(
  rows: Rows,
  { processors, syncHours }: BillingSettings,
  billing: Pick<Billing, 'sources'> | undefined,
) {
  // Reads one more than it lists, to know whether there are more.
  const max = listedMax + 1
  const runs = await readLastRuns(rows)
  const [prices, waiting, unconfirmed] = [
    await listUnmappedPrices(rows, max),
    await listWaitingCustomers(rows, max),
    await listUnconfirmedCustomers(rows, max),
  ]
  const [newest] = await rows.query<{ at: Date | null }>(newestEventStatement, [])
  return {
    processors: processors.filter(isConfigured).map(({ id, title, secrets }) => ({
      id,
      title,
      missingSettings: secrets.flatMap(({ name, isSet }) => (isSet ? [] : [name])),
      reconciles: billing?.sources.some(({ processor }) => processor === id) ?? false,
      ...lastRunsOf(runs.find(({ processor }) => processor === id)),
    })),
    syncHours,
    isSyncing: await isRunningOnANode(rows, 'billingSync'),
    ...(newest?.at && { lastEventAt: newest.at.toISOString() }),
    unmapped: { prices: firstOf(prices).map(priceOf), hasMore: prices.length > listedMax },
    waiting: { customers: firstOf(waiting).map(waitingOf), hasMore: waiting.length > listedMax },
    unconfirmed: { customers: firstOf(unconfirmed).map(unconfirmedOf), hasMore: unconfirmed.length > listedMax },
  }
}

const newestEventStatement = { name: 'billing_newest_event', text: 'select max(received_at) as at from billing_event' }

const firstOf = <Item>(items: readonly Item[]) => items.slice(0, listedMax)

/** Members of the contract; unknown ones are omitted. */
function lastRunsOf(runs: LastRuns | undefined) {
  const { finished_at: finishedAt, report, failed_at: failedAt, failure } = runs ?? {}
  return {
    ...(finishedAt && { lastSyncAt: finishedAt.toISOString() }),
    ...(report && { lastReport: report }),
    ...(failedAt && failure && { lastFailureAt: failedAt.toISOString(), lastFailure: failure }),
  }
}

function priceOf({ price_id, product_name, subscriptions }: UnmappedPrice) {
  return { id: price_id, ...(product_name !== null && { productName: product_name }), subscriptions }
}

function customerOf({ id, processor, subscriptions }: SubscribedCustomer) {
  return {
    id,
    processor,
    subscriptions: subscriptions.map(({ id, status, price_ids }) => ({ id, status, priceIds: price_ids })),
  }
}

function waitingOf({ claim, ...customer }: WaitingCustomer) {
  return { ...customerOf(customer), ...(claim && { claim }) }
}

function unconfirmedOf({ owner, ...customer }: UnconfirmedCustomer) {
  return { ...customerOf(customer), owner }
}
