import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { claimOf, claimRanks, claimsOfMetadata, type Position, type WebhookEvent, Word } from '../../events.ts'
import { isoOf, Reference, referenceId, Seconds, StripeSubscription, snapshotOf } from './objects.ts'

/**
 * Reads an event from any version of Stripe's API. Ignores unknown members; an unused type gives an event without parts. Throws
 * `webhook_unreadable`.
 */
export function readEvent(event: unknown): WebhookEvent {
  // Events of Stripe's v2 API have no object, and none of them is about a subscription.
  if (!Value.Check(StripeEvent, event)) return refuse('webhook_unreadable', { detail: 'This is not a Stripe event.' })
  const { id, type, created } = event
  const read = readers[type]
  return { eventId: id, type, at: isoOf(created), ...read?.(event.data.object, type) }
}

const StripeEvent = Type.Object({
  id: Word,
  type: Word,
  created: Seconds,
  data: Type.Object({ object: Type.Unknown() }),
})

type EventParts = Pick<WebhookEvent, 'subscription' | 'hint' | 'customer'>

const readers: Readonly<Record<string, (object: unknown, type: string) => EventParts>> = {
  'customer.subscription.created': (object, type) => subscriptionEvent(object, type, 0),
  'customer.subscription.updated': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.paused': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.resumed': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.trial_will_end': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.pending_update_applied': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.pending_update_expired': (object, type) => subscriptionEvent(object, type, 1),
  'customer.subscription.deleted': (object, type) => subscriptionEvent(object, type, 2),
  'customer.created': customerEvent,
  'customer.updated': customerEvent,
  'customer.deleted': (object, type) => ({
    customer: { id: readAs(StripeCustomer, object, type).id, claims: [], isDeleted: true },
  }),
  'checkout.session.completed': checkoutEvent,
  'invoice.paid': (object, type) => invoiceEvent(object, type, ['active', 'trialing']),
  'invoice.payment_failed': (object, type) =>
    invoiceEvent(object, type, ['past_due', 'unpaid', 'incomplete', 'incomplete_expired', 'canceled', 'paused']),
}

function subscriptionEvent(object: unknown, type: string, rank: Position['rank']): EventParts {
  const found = readAs(StripeSubscription, object, type)
  const snapshot = snapshotOf(found) ?? unreadable(type)
  const claims = claimsOfMetadata(found.metadata, claimRanks.purchase)
  return {
    subscription: { snapshot, rank },
    ...(claims.length > 0 && { customer: { id: snapshot.customerId, claims } }),
  }
}

const StripeCustomer = Type.Object({ id: Word, metadata: Type.Optional(Type.Unknown()) })

function customerEvent(object: unknown, type: string): EventParts {
  const { id, metadata } = readAs(StripeCustomer, object, type)
  return { customer: { id, claims: claimsOfMetadata(metadata, claimRanks.customer) } }
}

const StripeCheckout = Type.Object({
  customer: Type.Optional(Reference),
  subscription: Type.Optional(Reference),
  client_reference_id: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
})

/** A checkout without a subscription may still name the owner of its customer. */
function checkoutEvent(object: unknown, type: string): EventParts {
  const session = readAs(StripeCheckout, object, type)
  const customerId = referenceId(session.customer)
  const subscriptionId = referenceId(session.subscription)
  const { client_reference_id: reference, metadata } = session
  const claims = [
    ...claimOf({ kind: 'any', rank: claimRanks.reference }, 'client_reference_id', reference),
    ...claimsOfMetadata(metadata, claimRanks.purchase),
  ]
  return {
    ...(subscriptionId !== undefined && { hint: { subscriptionId } }),
    ...(customerId !== undefined && { customer: { id: customerId, claims } }),
  }
}

/** Since API version 2025-03-31 the subscription is under `parent`; before, it was at the top level. */
const StripeInvoice = Type.Object({
  subscription: Type.Optional(Reference),
  parent: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        subscription_details: Type.Optional(
          Type.Union([Type.Null(), Type.Object({ subscription: Type.Optional(Reference) })]),
        ),
      }),
    ]),
  ),
})

/** An invoice names its subscription without its state, which is fetched only if the stored status is not in `expected`. */
function invoiceEvent(object: unknown, type: string, expected: readonly string[]): EventParts {
  const invoice = readAs(StripeInvoice, object, type)
  const subscriptionId =
    referenceId(invoice.parent?.subscription_details?.subscription) ?? referenceId(invoice.subscription)
  return subscriptionId === undefined ? {} : { hint: { subscriptionId, expected } }
}

function readAs<const Schema extends TSchema>(schema: Schema, object: unknown, type: string): Static<Schema> {
  return Value.Check(schema, object) ? object : unreadable(type)
}

function unreadable(type: string): never {
  return refuse('webhook_unreadable', { detail: `The object of this ${type} lacks a required member.` })
}
