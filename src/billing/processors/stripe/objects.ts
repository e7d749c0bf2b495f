import Type, { type Static } from 'typebox'
import { itemsOf, productNameOf, quantityOf, readIf, type Snapshot, Word } from '../../events.ts'

/** A reference to an object: its id, or the object if the request expanded it. */
export const Reference = Type.Union([Type.Null(), Word, Type.Object({ id: Word })])

export function referenceId(reference: Static<typeof Reference> | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

/** Seconds since 1970, until the year 9999. */
export const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })

/**
 * The members of a subscription that billing uses. Members of type unknown are read one by one: another form of one of
 * them must not lose the event.
 */
export const StripeSubscription = Type.Object({
  id: Word,
  customer: Reference,
  status: Word,
  created: Seconds,
  items: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
  cancel_at: Type.Optional(Type.Unknown()),
  cancel_at_period_end: Type.Optional(Type.Unknown()),
  trial_end: Type.Optional(Type.Unknown()),
  current_period_start: Type.Optional(Type.Unknown()),
  current_period_end: Type.Optional(Type.Unknown()),
})
type StripeSubscription = Static<typeof StripeSubscription>

/** `undefined` without a customer; Stripe has no such subscriptions. */
export function snapshotOf(subscription: StripeSubscription): Snapshot | undefined {
  const { id, customer, status, created } = subscription
  const customerId = referenceId(customer)
  if (customerId === undefined) return undefined
  const list = readIf(StripeItems, subscription.items)
  const read = list?.data.map((item) => readIf(StripeItem, item)) ?? []
  const prices = read.map((item) => item && (readIf(Price, item.price) ?? readIf(Price, item.plan)))
  const trialEnd = readIf(Seconds, subscription.trial_end)
  return {
    id,
    customerId,
    ...itemsOf(
      prices.map((price, index) => price && { priceId: price.id, ...quantityOf(read[index]?.quantity) }),
      list?.has_more === true,
    ),
    // Events contain only the id of the product; a fetch expands it.
    ...productNameOf(prices[0]?.product),
    status,
    createdAt: isoOf(created),
    ...periodOf(subscription, read),
    ...(trialEnd !== undefined && { trialEnd: isoOf(trialEnd) }),
  }
}

const StripeItems = Type.Object({ data: Type.Array(Type.Unknown()), has_more: Type.Optional(Type.Unknown()) })

/** Before 2020 prices were called plans, and events still contain both. */
const StripeItem = Type.Object({
  id: Type.Optional(Type.Unknown()),
  price: Type.Optional(Type.Unknown()),
  plan: Type.Optional(Type.Unknown()),
  quantity: Type.Optional(Type.Unknown()),
  current_period_start: Type.Optional(Type.Unknown()),
  current_period_end: Type.Optional(Type.Unknown()),
})
export const Price = Type.Object({ id: Word, product: Type.Optional(Type.Unknown()) })

interface Period {
  readonly current_period_start?: unknown
  readonly current_period_end?: unknown
}

/**
 * Since API version 2025-03-31 each item has its own period; the first one that ends is the next renewal. With
 * flexible billing, a cancellation at the end of the period sets `cancel_at` alone, and `cancel_at_period_end` stays
 * false: docs.stripe.com/billing/subscriptions/billing-mode/compare. A subscription that ends before its period does so
 * at `cancel_at`; one that ends later renews first.
 */
function periodOf(subscription: StripeSubscription, items: readonly (Period | undefined)[]) {
  const periods = [subscription, ...items].flatMap((period) => endOf(period) ?? [])
  const cancelAt = readIf(Seconds, subscription.cancel_at)
  const isCancelled = readIf(Type.Boolean(), subscription.cancel_at_period_end)
  const renewsAt = periods.length === 0 ? undefined : periods.reduce((first, end) => Math.min(first, end))
  const isLast = cancelAt !== undefined && renewsAt !== undefined && cancelAt <= renewsAt
  const end = isLast ? cancelAt : renewsAt
  const cancelAtPeriodEnd = isLast || isCancelled
  return {
    ...(end !== undefined && { currentPeriodEnd: isoOf(end) }),
    ...(cancelAtPeriodEnd !== undefined && { cancelAtPeriodEnd }),
  }
}

/** Undefined for a period that ends before it starts. */
function endOf(period: Period | undefined): number | undefined {
  const end = readIf(Seconds, period?.current_period_end)
  const start = readIf(Seconds, period?.current_period_start)
  return end !== undefined && (start === undefined || start < end) ? end : undefined
}

/** Stripe's times are in seconds. */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
