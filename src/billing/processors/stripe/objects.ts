import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import type { Claim, claimRanks, Snapshot } from '../../events.ts'
import { claimOf, Owned, Word } from '../../signed.ts'

/** Another object: its id, or the whole of it where it was asked for. */
export const Reference = Type.Union([Type.Null(), Word, Type.Object({ id: Word })])

export function referenceId(reference: Static<typeof Reference> | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

const Price = Type.Object({ id: Word, product: Type.Optional(Type.Unknown()) })

/** What is read of a subscription. Prices were called plans before 2020, and events still hold both. */
export const StripeSubscription = Type.Object({
  id: Word,
  customer: Reference,
  status: Word,
  created: Type.Integer({ minimum: 0 }),
  items: Type.Object({
    data: Type.Array(
      Type.Object({
        price: Type.Optional(Type.Union([Type.Null(), Price])),
        plan: Type.Optional(Type.Union([Type.Null(), Price])),
      }),
    ),
  }),
  metadata: Type.Optional(Type.Unknown()),
})

/** Nothing where it has no customer or no price, which Stripe does not make. */
export function snapshotOf({
  id,
  customer,
  status,
  created,
  items,
}: Static<typeof StripeSubscription>): Snapshot | undefined {
  const customerId = referenceId(customer)
  const prices = items.data.map(({ price, plan }) => price ?? plan).filter((price) => price != null)
  if (customerId === undefined || prices.length === 0) return undefined
  const productName = nameOf(prices[0]?.product)
  return {
    id,
    customerId,
    priceIds: prices.map((price) => price.id),
    ...(productName !== undefined && { productName }),
    status,
    createdAt: isoOf(created),
  }
}

/** Events name the product by its id only; a fetch brings it whole. */
const Product = Type.Object({ name: Type.String({ minLength: 1 }) })

function nameOf(product: unknown): string | undefined {
  return Value.Check(Product, product) ? product.name.replaceAll('\0', '').slice(0, 200) : undefined
}

/** Whose the customer is, by metadata that only the merchant can write. */
export function claimsOf(metadata: unknown, rank: typeof claimRanks.purchase | typeof claimRanks.customer): Claim[] {
  return Value.Check(Owned, metadata) ? claimOf(metadata, rank) : []
}

/** Stripe counts time in seconds. */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
