import Type from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { claimRanks, claimsOfMetadata, Instant, OwnerMetadata, type WebhookEvent, Word } from '../../events.ts'

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
  return { ...read, customer: { id: data.id, claims: claims(data.custom_data, claimRanks.customer) } }
}

const Event = Type.Object({ event_id: Word, event_type: Word, occurred_at: Instant, data: Type.Unknown() })

const Subscription = Type.Object({
  id: Word,
  status: Word,
  customer_id: Word,
  created_at: Instant,
  items: Type.Array(
    Type.Object({
      price: Type.Object({ id: Word }),
      product: Type.Optional(Type.Union([Type.Null(), Type.Object({ name: Type.String({ minLength: 1 }) })])),
    }),
    { minItems: 1 },
  ),
  custom_data: Type.Optional(Type.Unknown()),
})

const Customer = Type.Object({ id: Word, custom_data: Type.Optional(Type.Unknown()) })

function subscriptionEvent(data: unknown, type: string): Pick<WebhookEvent, 'subscription' | 'customer'> {
  if (!Value.Check(Subscription, data)) return refuse('webhook_unreadable')
  const { id, status, customer_id: customerId, created_at: createdAt, items, custom_data } = data
  const productName = items[0]?.product?.name.replaceAll('\0', '').slice(0, 200)
  const priceIds = items.map(({ price }) => price.id)
  const rank = type === 'subscription.created' ? 0 : type === 'subscription.canceled' ? 2 : 1
  return {
    subscription: {
      snapshot: { id, customerId, priceIds, status, createdAt, ...(productName && { productName }) },
      rank,
    },
    // Paddle.js lets the page, and so the payer, write `custom_data` of a purchase.
    customer: { id: customerId, claims: claims(custom_data, claimRanks.reference) },
  }
}

function claims(data: unknown, rank: typeof claimRanks.reference | typeof claimRanks.customer) {
  return Value.Check(OwnerMetadata, data) ? claimsOfMetadata(data, rank) : []
}
