import Type from 'typebox'
import Value from 'typebox/value'
import type { Clock } from '../../platform/clock.ts'
import { refuse } from '../../platform/problems.ts'
import type { Secret } from '../../platform/secret.ts'
import { claimRanks, type News, type Processor } from '../events.ts'
import { checkHmac, claimOf, exactText, headerOf, Instant, Owned, parseSigned, Word } from '../signed.ts'

/**
 * Paddle Billing, to be listened to only. Times have microseconds, so a tie is decided by arrival.
 * Source: developer.paddle.com/webhooks, the pages on signature verification and on subscription.* and customer.* events.
 */
export function paddleProcessor(secrets: Secret, now: Clock): Processor {
  return {
    id: 'paddle',
    read(bytes, headers) {
      const text = exactText(bytes)
      const { ts: [at = ''] = [], h1 = [] } = partsOf(headerOf(headers, 'paddle-signature'))
      checkHmac({ content: `${at}:${text}`, encoding: 'hex', signatures: h1, at }, secrets, now())
      return newsOf(parseSigned(text))
    },
  }
}

/** `ts=…;h1=…`, with several `h1` while a secret is being replaced. */
function partsOf(header: string): Partial<Record<'ts' | 'h1', string[]>> {
  const pairs = header.split(';').map((part) => part.split('=', 2))
  const all = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted && value ? [value] : []))
  return { ts: all('ts'), h1: all('h1') }
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

function newsOf(event: unknown): News {
  if (!Value.Check(Event, event)) return refuse('webhook_unreadable')
  const { event_id: eventId, event_type: type, occurred_at: at, data } = event
  const news = { processor: 'paddle', eventId, type, at } as const
  if (/^subscription\./.test(type)) return { ...news, ...subscriptionNews(data, type) }
  if (!/^customer\.(created|updated|imported)$/.test(type)) return news
  if (!Value.Check(Customer, data)) return refuse('webhook_unreadable')
  return { ...news, customer: { id: data.id, claims: claims(data.custom_data, claimRanks.customer) } }
}

function subscriptionNews(data: unknown, type: string): Pick<News, 'subscription' | 'customer'> {
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
    // Paddle.js lets the page, and so the payer, write the data of a purchase.
    customer: { id: customerId, claims: claims(custom_data, claimRanks.reference) },
  }
}

function claims(data: unknown, rank: typeof claimRanks.reference | typeof claimRanks.customer) {
  return Value.Check(Owned, data) ? claimOf(data, rank) : []
}
