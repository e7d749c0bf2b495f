import Type from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { claimRanks, claimsOfMetadata, Instant, OwnerMetadata, type WebhookEvent, Word } from '../../events.ts'

/**
 * Reads an event from Polar. The event's id is the id of the delivery, which retries keep; the body has none. Products are used as prices.
 * Times have microseconds, so of two events with the same time the later arrival wins. Throws `webhook_unreadable`.
 */
export function readEvent(eventId: string, event: unknown): WebhookEvent {
  if (!Value.Check(Event, event) || !Value.Check(Word, eventId)) return refuse('webhook_unreadable')
  const { type, timestamp: at, data } = event
  const read = { eventId, type, at }
  if (/^subscription\./.test(type)) return { ...read, ...subscriptionEvent(data, type) }
  if (!/^customer\.(created|updated|deleted)$/.test(type)) return read
  if (!Value.Check(Customer, data)) return refuse('webhook_unreadable')
  return { ...read, customer: { id: data.id, claims: customerClaims(data), isDeleted: type === 'customer.deleted' } }
}

const Event = Type.Object({ type: Word, timestamp: Instant, data: Type.Unknown() })

const Customer = Type.Object({
  id: Word,
  external_id: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  metadata: Type.Optional(Type.Unknown()),
})

const Subscription = Type.Object({
  id: Word,
  status: Word,
  customer_id: Word,
  product_id: Word,
  created_at: Instant,
  product: Type.Optional(Type.Object({ name: Type.String({ minLength: 1 }) })),
  customer: Type.Optional(Customer),
  metadata: Type.Optional(Type.Unknown()),
})

function subscriptionEvent(data: unknown, type: string): Pick<WebhookEvent, 'subscription' | 'customer'> {
  if (!Value.Check(Subscription, data)) return refuse('webhook_unreadable')
  const { id, status, customer_id: customerId, product_id, created_at: createdAt, product, customer, metadata } = data
  const productName = product?.name.replaceAll('\0', '').slice(0, 200)
  const rank = type === 'subscription.created' ? 0 : type === 'subscription.revoked' ? 2 : 1
  const claims = [
    ...(customer ? customerClaims(customer) : []),
    ...(Value.Check(OwnerMetadata, metadata) ? claimsOfMetadata(metadata, claimRanks.purchase) : []),
  ]
  const snapshot = { id, customerId, priceIds: [product_id], status, createdAt, ...(productName && { productName }) }
  return { subscription: { snapshot, rank }, customer: { id: customerId, claims } }
}

/** A checkout link can set `external_id`, so the payer may have written it; it cannot set metadata. */
function customerClaims({ external_id, metadata }: Type.Static<typeof Customer>) {
  return [
    ...(Value.Check(Word, external_id)
      ? [{ kind: 'any', value: external_id, rank: claimRanks.reference } as const]
      : []),
    ...(Value.Check(OwnerMetadata, metadata) ? claimsOfMetadata(metadata, claimRanks.customer) : []),
  ]
}
