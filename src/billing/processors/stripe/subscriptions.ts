import type { Logger } from 'pino'
import type { Stripe } from 'stripe'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { claimRanks, claimsOfMetadata } from '../../events.ts'
import type { FetchedSubscription, SubscriptionApi } from '../../processor.ts'
import { isMissing, refuseStripe } from './client.ts'
import { StripeSubscription, snapshotOf } from './objects.ts'

/** Stripe's maximum. */
const pageSize = 100
/** Far more than a subscription can have at Stripe. */
const itemsMax = 10_000

/** Subscriptions from Stripe's API. Throws `processor_unavailable`, `processor_refused`. */
export function stripeSubscriptions(client: Stripe, log: Logger): SubscriptionApi {
  const request = async <T>(call: () => Promise<T>) => timed(call).catch((error: unknown) => refuseStripe(error, log))
  return {
    async fetch(subscriptionId) {
      const expand = ['customer', 'items.data.price.product']
      const call = () => client.subscriptions.retrieve(subscriptionId, { expand })
      const { answer, notBefore } = await request(() => call().catch(absentIfMissing))
      if (!answer) return undefined
      const items = answer.items.has_more ? await request(() => allItems(client, subscriptionId)) : undefined
      return fetchedOf(items ? { ...answer, items: items.answer } : answer, notBefore(answer))
    },
    async *pages(signal) {
      // Stripe expands at most four levels, so a list cannot contain the products.
      let last: string | undefined
      for (;;) {
        signal?.throwIfAborted()
        const query = { status: 'all' as const, limit: pageSize, ...(last !== undefined && { starting_after: last }) }
        const { answer, notBefore } = await request(() =>
          client.subscriptions.list({ ...query, expand: ['data.customer'] }, { maxNetworkRetries: 3 }),
        )
        yield answer.data.map((subscription) => fetchedOf(subscription, notBefore(answer)))
        last = answer.data.at(-1)?.id
        if (!answer.has_more || last === undefined) return
      }
    },
  }
}

/** A subscription contains only the first of many items. */
async function allItems(client: Stripe, subscription: string): Promise<{ data: object[]; has_more: false }> {
  const list = client.subscriptionItems.list({ subscription, limit: pageSize, expand: ['data.price.product'] })
  return { data: await list.autoPagingToArray({ limit: itemsMax }), has_more: false }
}

function absentIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

interface Answered {
  readonly lastResponse: { readonly headers: Readonly<Record<string, string>> }
}

/**
 * A response, and a function that returns the earliest time at which it was true by Stripe's clock: the header Date minus the duration of
 * the call. Does not use this machine's clock.
 */
async function timed<T>(call: () => Promise<T>) {
  const startedMs = performance.now()
  const answer = await call()
  const elapsedMs = performance.now() - startedMs
  const notBefore = ({ lastResponse }: Answered): string | undefined => {
    const dateMs = Date.parse(lastResponse.headers.date ?? '')
    return Number.isNaN(dateMs) ? undefined : wholeSecond(dateMs - elapsedMs)
  }
  return { answer, notBefore }
}

/** Events have whole seconds: a fraction here would make an event of the same second look older. */
function wholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString()
}

function fetchedOf(subscription: unknown, notBefore: string | undefined): FetchedSubscription {
  const found = Value.Check(StripeSubscription, subscription) ? subscription : refuse('processor_refused')
  const snapshot = snapshotOf(found) ?? refuse('processor_refused')
  const ofCustomer = typeof found.customer === 'object' && found.customer !== null ? found.customer : {}
  const claims = [
    ...claimsOfMetadata(found.metadata, claimRanks.purchase),
    ...claimsOfMetadata('metadata' in ofCustomer ? ofCustomer.metadata : undefined, claimRanks.customer),
  ]
  const isDeleted = 'deleted' in ofCustomer && ofCustomer.deleted === true
  return {
    snapshot,
    customer: { id: snapshot.customerId, claims, isDeleted },
    ...(notBefore !== undefined && { notBefore }),
  }
}
