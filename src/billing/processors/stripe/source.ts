import type { Logger } from 'pino'
import type { Stripe } from 'stripe'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { claimRanks, type Fetched, type SubscriptionSource } from '../../events.ts'
import { isMissing, refuseStripe } from './client.ts'
import { claimsOf, StripeSubscription, snapshotOf } from './objects.ts'

/** The most that Stripe gives in one page. */
const pageSize = 100

/** Stripe's API as the place where subscriptions can be asked for. Problems: `processor_unavailable`, `processor_refused`. */
export function stripeSource(client: Stripe, log: Logger): SubscriptionSource {
  const ask = async <T>(call: () => Promise<T>) => timed(call).catch((error: unknown) => refuseStripe(error, log))
  return {
    processor: 'stripe',
    async fetch(subscriptionId) {
      const expand = ['customer', 'items.data.price.product']
      const call = () => client.subscriptions.retrieve(subscriptionId, { expand })
      const { answer, notBefore } = await ask(() => call().catch(absentIfMissing))
      return answer && fetchedOf(answer, notBefore(answer))
    },
    async *pages(signal) {
      // Four levels of expansion are allowed, so a list cannot bring the products.
      let last: string | undefined
      for (;;) {
        signal?.throwIfAborted()
        const query = { status: 'all' as const, limit: pageSize, ...(last !== undefined && { starting_after: last }) }
        const { answer, notBefore } = await ask(() =>
          client.subscriptions.list({ ...query, expand: ['data.customer'] }, { maxNetworkRetries: 3 }),
        )
        yield answer.data.map((subscription) => fetchedOf(subscription, notBefore(answer)))
        last = answer.data.at(-1)?.id
        if (!answer.has_more || last === undefined) return
      }
    },
  }
}

function absentIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

interface Answered {
  readonly lastResponse: { readonly headers: Readonly<Record<string, string>> }
}

/**
 * With an answer, how to tell when it was true by Stripe's clock: not before the second of its header Date less the time that the
 * call took. This machine's clock is not asked what time it is.
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

/** Events carry whole seconds: a fraction would let an event of the same second look older than it is. */
function wholeSecond(ms: number): string {
  return new Date(Math.floor(ms / 1_000) * 1_000).toISOString()
}

function fetchedOf(subscription: unknown, notBefore: string | undefined): Fetched {
  const found = Value.Check(StripeSubscription, subscription) ? subscription : refuse('processor_refused')
  const snapshot = snapshotOf(found) ?? refuse('processor_refused')
  const ofCustomer = typeof found.customer === 'object' && found.customer !== null ? found.customer : {}
  const claims = [
    ...claimsOf(found.metadata, claimRanks.purchase),
    ...claimsOf('metadata' in ofCustomer ? ofCustomer.metadata : undefined, claimRanks.customer),
  ]
  const isDeleted = 'deleted' in ofCustomer && ofCustomer.deleted === true
  return {
    snapshot,
    customer: { id: snapshot.customerId, claims, isDeleted },
    ...(notBefore !== undefined && { notBefore }),
  }
}
