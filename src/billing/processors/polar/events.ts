import Type from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import {
  claimOf,
  claimRanks,
  claimsOfMetadata,
  Instant,
  instantOf,
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
  external_id: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
})

const Subscription = Type.Object({
  id: Word,
  status: Word,
  customer_id: Word,
  created_at: Instant,
  product_id: Type.Optional(Type.Unknown()),
  product: Type.Optional(Type.Unknown()),
  seats: Type.Optional(Type.Unknown()),
  current_period_start: Type.Optional(Type.Unknown()),
  current_period_end: Type.Optional(Type.Unknown()),
  cancel_at_period_end: Type.Optional(Type.Unknown()),
  trial_end: Type.Optional(Type.Unknown()),
  customer: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
})

function subscriptionEvent(data: unknown, type: string): Pick<WebhookEvent, 'subscription' | 'customer'> {
  if (!Value.Check(Subscription, data)) return refuse('webhook_unreadable')
  const customer = readIf(Customer, data.customer)
  const rank = type === 'subscription.created' ? 0 : type === 'subscription.revoked' ? 2 : 1
  const claims = [
    ...(customer ? customerClaims(customer) : []),
    ...claimsOfMetadata(data.metadata, claimRanks.purchase),
  ]
  return { subscription: { snapshot: snapshotOf(data), rank }, customer: { id: data.customer_id, claims } }
}

function snapshotOf(data: Type.Static<typeof Subscription>): Snapshot {
  const { id, status, customer_id: customerId, created_at: createdAt } = data
  const priceId = readIf(Word, data.product_id)
  const currentPeriodEnd = periodEndOf(data.current_period_start, data.current_period_end)
  const cancelAtPeriodEnd = readIf(Type.Boolean(), data.cancel_at_period_end)
  const trialEnd = instantOf(data.trial_end)
  return {
    id,
    customerId,
    ...itemsOf([priceId === undefined ? undefined : { priceId, ...quantityOf(data.seats) }]),
    ...productNameOf(data.product),
    status,
    createdAt,
    ...(currentPeriodEnd !== undefined && { currentPeriodEnd }),
    ...(cancelAtPeriodEnd !== undefined && { cancelAtPeriodEnd }),
    ...(trialEnd !== undefined && { trialEnd }),
  }
}

/** A checkout link can set `external_id`, so the payer may have written it; it cannot set metadata. */
function customerClaims({ external_id, metadata }: Type.Static<typeof Customer>) {
  return [
    ...claimOf({ kind: 'any', rank: claimRanks.reference }, 'external_id', external_id),
    ...claimsOfMetadata(metadata, claimRanks.customer),
  ]
}
