import Type from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import {
  claimRanks,
  claimsOfMetadata,
  Instant,
  itemsOf,
  periodEndOf,
  productNameOf,
  quantityOf,
  readIf,
  type Snapshot,
  type WebhookEvent,
  Word,
} from '../../events.ts'

/**
 * Reads an event from Paddle. Times have microseconds, so of two events with the same time the later arrival wins. Throws
 * `webhook_unreadable`.
 */
export function readEvent(event: unknown): WebhookEvent {
  if (!Value.Check(Event, event)) return refuse('webhook_unreadable')
  const { event_id: eventId, event_type: type, occurred_at: at, data } = event
  const read = { eventId, type, at }
  if (/^subscription\./.test(type)) return { ...read, ...subscriptionEvent(data, type) }
  if (!/^customer\.(created|updated|imported)$/.test(type)) return read
  if (!Value.Check(Customer, data)) return refuse('webhook_unreadable')
  return { ...read, customer: { id: data.id, claims: claimsOfMetadata(data.custom_data, claimRanks.customer) } }
}

const Event = Type.Object({ event_id: Word, event_type: Word, occurred_at: Instant, data: Type.Unknown() })

const Subscription = Type.Object({
  id: Word,
  status: Word,
  customer_id: Word,
  created_at: Instant,
  items: Type.Optional(Type.Unknown()),
  custom_data: Type.Optional(Type.Unknown()),
  current_billing_period: Type.Optional(Type.Unknown()),
  scheduled_change: Type.Optional(Type.Unknown()),
})

const PaddleItem = Type.Object({
  price: Type.Object({ id: Word }),
  quantity: Type.Optional(Type.Unknown()),
  product: Type.Optional(Type.Unknown()),
  trial_dates: Type.Optional(Type.Unknown()),
})
const Dates = Type.Object({ starts_at: Type.Optional(Type.Unknown()), ends_at: Type.Unknown() })
const ScheduledChange = Type.Union([Type.Null(), Type.Object({ action: Type.String() })])

const Customer = Type.Object({ id: Word, custom_data: Type.Optional(Type.Unknown()) })

function subscriptionEvent(data: unknown, type: string): Pick<WebhookEvent, 'subscription' | 'customer'> {
  if (!Value.Check(Subscription, data)) return refuse('webhook_unreadable')
  const { customer_id: customerId, custom_data } = data
  const rank = type === 'subscription.created' ? 0 : type === 'subscription.canceled' ? 2 : 1
  return {
    subscription: { snapshot: snapshotOf(data), rank },
    // Paddle.js lets the page, and so the payer, write `custom_data` of a purchase.
    customer: { id: customerId, claims: claimsOfMetadata(custom_data, claimRanks.reference) },
  }
}

function snapshotOf(data: Type.Static<typeof Subscription>): Snapshot {
  const { id, status, customer_id: customerId, created_at: createdAt, scheduled_change } = data
  const items = readIf(Type.Array(Type.Unknown()), data.items)?.map((item) => readIf(PaddleItem, item)) ?? []
  const currentPeriodEnd = endOf(data.current_billing_period)
  const change = readIf(ScheduledChange, scheduled_change)
  const [trialEnd] = items.flatMap((item) => endOf(item?.trial_dates) ?? [])
  return {
    id,
    customerId,
    ...itemsOf(items.map((item) => item && { priceId: item.price.id, ...quantityOf(item.quantity) })),
    ...productNameOf(items[0]?.product),
    status,
    createdAt,
    ...(currentPeriodEnd !== undefined && { currentPeriodEnd }),
    ...(change !== undefined && { cancelAtPeriodEnd: change?.action === 'cancel' }),
    ...(trialEnd !== undefined && { trialEnd }),
  }
}

function endOf(dates: unknown): string | undefined {
  const { starts_at, ends_at } = readIf(Dates, dates) ?? {}
  return periodEndOf(starts_at, ends_at)
}
