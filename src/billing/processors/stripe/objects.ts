import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { type Claim, type claimRanks, claimsOfMetadata, OwnerMetadata, type Snapshot, Word } from '../../events.ts'

/** A reference to an object: its id, or the object if the request expanded it. */
export const Reference = Type.Union([Type.Null(), Word, Type.Object({ id: Word })])

export function referenceId(reference: Static<typeof Reference> | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

const Price = Type.Object({ id: Word, product: Type.Optional(Type.Unknown()) })

/** The members of a subscription that billing uses. Before 2020 prices were called plans, and events still contain both. */
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

/** `undefined` without a customer or a price; Stripe has no such subscriptions. */
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

/** Events contain only the id of the product; a fetch expands it. */
const Product = Type.Object({ name: Type.String({ minLength: 1 }) })

function nameOf(product: unknown): string | undefined {
  return Value.Check(Product, product) ? product.name.replaceAll('\0', '').slice(0, 200) : undefined
}

/** The owner of the customer, from metadata that only the merchant can write. */
export function claimsOf(metadata: unknown, rank: typeof claimRanks.purchase | typeof claimRanks.customer): Claim[] {
  return Value.Check(OwnerMetadata, metadata) ? claimsOfMetadata(metadata, rank) : []
}

/** Stripe's times are in seconds. */
export function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
