import Type from 'typebox'
import Value from 'typebox/value'
import type { Clock } from '../../platform/clock.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { claimRanks, type News, type Processor } from '../events.ts'
import { checkHmac, claimOf, exactText, headerOf, Instant, Owned, parseSigned, Word } from '../signed.ts'

/**
 * Polar, to be listened to only. Its products stand for prices. Times have microseconds, so a tie is decided by arrival.
 * Source: standardwebhooks.com for the signature, with the secret's own bytes as the key; polar.sh/docs for the events.
 */
export function polarProcessor(secrets: Secret, now: Clock): Processor {
  return {
    id: 'polar',
    read(bytes, headers) {
      const text = exactText(bytes)
      const [id, at] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
      const signatures = headerOf(headers, 'webhook-signature')
        .split(' ')
        .flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []))
      checkHmac({ content: `${id}.${at}.${text}`, encoding: 'base64', signatures, at }, secrets, now())
      return newsOf(id, parseSigned(text))
    },
  }
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

/** The id of the delivery is the same in each repetition; the body has none. */
function newsOf(eventId: string, event: unknown): News {
  if (!Value.Check(Event, event) || !Value.Check(Word, eventId)) return refuse('webhook_unreadable')
  const { type, timestamp: at, data } = event
  const news = { processor: 'polar', eventId, type, at } as const
  if (/^subscription\./.test(type)) return { ...news, ...subscriptionNews(data, type) }
  if (!/^customer\.(created|updated|deleted)$/.test(type)) return news
  if (!Value.Check(Customer, data)) return refuse('webhook_unreadable')
  return { ...news, customer: { id: data.id, claims: customerClaims(data), isDeleted: type === 'customer.deleted' } }
}

function subscriptionNews(data: unknown, type: string): Pick<News, 'subscription' | 'customer'> {
  if (!Value.Check(Subscription, data)) return refuse('webhook_unreadable')
  const { id, status, customer_id: customerId, product_id, created_at: createdAt, product, customer, metadata } = data
  const productName = product?.name.replaceAll('\0', '').slice(0, 200)
  const rank = type === 'subscription.created' ? 0 : type === 'subscription.revoked' ? 2 : 1
  const claims = [
    ...(customer ? customerClaims(customer) : []),
    ...(Value.Check(Owned, metadata) ? claimOf(metadata, claimRanks.purchase) : []),
  ]
  const snapshot = { id, customerId, priceIds: [product_id], status, createdAt, ...(productName && { productName }) }
  return { subscription: { snapshot, rank }, customer: { id: customerId, claims } }
}

/** The merchant's own id of the customer may have come with the address of a checkout; metadata cannot. */
function customerClaims({ external_id, metadata }: Type.Static<typeof Customer>) {
  return [
    ...(Value.Check(Word, external_id)
      ? [{ kind: 'any', value: external_id, rank: claimRanks.reference } as const]
      : []),
    ...(Value.Check(Owned, metadata) ? claimOf(metadata, claimRanks.customer) : []),
  ]
}
