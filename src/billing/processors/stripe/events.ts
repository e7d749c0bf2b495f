import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { refuse } from '../../../platform/problems.ts'
import { type Claim, claimRanks, type News, type Position } from '../../events.ts'
import { Word } from '../../signed.ts'
import { claimsOf, isoOf, Reference, referenceId, StripeSubscription, snapshotOf } from './objects.ts'

/**
 * The news in an event of Stripe, whatever version of its API wrote it. Unknown members are left alone; a type that bears on nothing
 * here gives news without parts. Problems: `webhook_unreadable`.
 */
export function newsOf(event: unknown): News {
  // Events of Stripe's second API name their object only, and none of them bears on a subscription.
  if (!Value.Check(StripeEvent, event))
    return refuse('webhook_unreadable', { detail: 'This is not an event of Stripe.' })
  const { id, type, created } = event
  const read = readers[type]
  return { processor: 'stripe', eventId: id, type, at: isoOf(created), ...read?.(event.data.object, type) }
}

const StripeEvent = Type.Object({
  id: Word,
  type: Word,
  created: Type.Integer({ minimum: 0 }),
  data: Type.Object({ object: Type.Unknown() }),
})

type NewsParts = Pick<News, 'subscription' | 'hint' | 'customer'>

const readers: Readonly<Record<string, (object: unknown, type: string) => NewsParts>> = {
  'customer.subscription.created': (object, type) => subscriptionNews(object, type, 0),
  'customer.subscription.updated': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.paused': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.resumed': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.trial_will_end': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.pending_update_applied': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.pending_update_expired': (object, type) => subscriptionNews(object, type, 1),
  'customer.subscription.deleted': (object, type) => subscriptionNews(object, type, 2),
  'customer.created': customerNews,
  'customer.updated': customerNews,
  'customer.deleted': (object, type) => ({
    customer: { id: readAs(StripeCustomer, object, type).id, claims: [], isDeleted: true },
  }),
  'checkout.session.completed': checkoutNews,
  'invoice.paid': (object, type) => invoiceNews(object, type, ['active', 'trialing']),
  'invoice.payment_failed': (object, type) =>
    invoiceNews(object, type, ['past_due', 'unpaid', 'incomplete', 'incomplete_expired', 'canceled', 'paused']),
}

function subscriptionNews(object: unknown, type: string, rank: Position['rank']): NewsParts {
  const found = readAs(StripeSubscription, object, type)
  const snapshot = snapshotOf(found) ?? unreadable(type)
  const claims = claimsOf(found.metadata, claimRanks.purchase)
  return {
    subscription: { snapshot, rank },
    ...(claims.length > 0 && { customer: { id: snapshot.customerId, claims } }),
  }
}

const StripeCustomer = Type.Object({ id: Word, metadata: Type.Optional(Type.Unknown()) })

function customerNews(object: unknown, type: string): NewsParts {
  const { id, metadata } = readAs(StripeCustomer, object, type)
  return { customer: { id, claims: claimsOf(metadata, claimRanks.customer) } }
}

const StripeCheckout = Type.Object({
  customer: Type.Optional(Reference),
  subscription: Type.Optional(Reference),
  client_reference_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  metadata: Type.Optional(Type.Unknown()),
})

/** A checkout of something else than a subscription may still say whose its customer is. */
function checkoutNews(object: unknown, type: string): NewsParts {
  const session = readAs(StripeCheckout, object, type)
  const customerId = referenceId(session.customer)
  const subscriptionId = referenceId(session.subscription)
  const claims = [...referenceClaim(session.client_reference_id), ...claimsOf(session.metadata, claimRanks.purchase)]
  return {
    ...(subscriptionId !== undefined && { hint: { subscriptionId } }),
    ...(customerId !== undefined && { customer: { id: customerId, claims } }),
  }
}

function referenceClaim(value: string | null | undefined): Claim[] {
  return value && Value.Check(Word, value) ? [{ kind: 'any', value, rank: claimRanks.reference }] : []
}

/** The subscription stood at the top before API version 2025-03-31, and under `parent` since. */
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

/** An invoice does not show its subscription: one is asked for only if what is stored does not go with the invoice. */
function invoiceNews(object: unknown, type: string, expected: readonly string[]): NewsParts {
  const invoice = readAs(StripeInvoice, object, type)
  const subscriptionId =
    referenceId(invoice.parent?.subscription_details?.subscription) ?? referenceId(invoice.subscription)
  return subscriptionId === undefined ? {} : { hint: { subscriptionId, expected } }
}

function readAs<const Schema extends TSchema>(schema: Schema, object: unknown, type: string): Static<Schema> {
  return Value.Check(schema, object) ? object : unreadable(type)
}

function unreadable(type: string): never {
  return refuse('webhook_unreadable', { detail: `The object of this ${type} lacks what is needed of it.` })
}
