import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'

/** A subscription as a payment processor reported it at one moment. */
export interface Snapshot {
  readonly id: string
  readonly customerId: string
  /** In order. */
  readonly items: readonly Item[]
  /** There are more items, or Muster cannot read the form of some. Then `items` are added to the stored ones and do not replace them. */
  readonly hasUnreadItems?: true
  /** Of the first item. */
  readonly productName?: string
  /** The processor's own word. */
  readonly status: string
  /** ISO 8601. */
  readonly createdAt: string
  /** When the paid period ends, as `Date.toISOString` writes it. Absent members were not reported. */
  readonly currentPeriodEnd?: string
  /** Whether the subscription ends at `currentPeriodEnd`. */
  readonly cancelAtPeriodEnd?: boolean
  /** As `Date.toISOString` writes it. */
  readonly trialEnd?: string
}

interface Item {
  readonly priceId: string
  readonly quantity?: number
}

/**
 * The age of a snapshot: its time (ISO 8601) and, for equal times, a rank: created 0, updated 1, deleted 2. Two updates with the same time
 * have the same position.
 */
export interface Position {
  readonly at: string
  readonly rank: 0 | 1 | 2
}

/** A claim about the owner of a customer. A higher rank beats a newer claim. */
export type Claim = ReadableClaim | UnreadableClaim

interface ReadableClaim {
  /** `any`: the id of an organization, the id of a user, or the subject of an identity. */
  readonly kind: 'account' | 'organization' | 'any'
  readonly value: string
  readonly rank: Exclude<(typeof claimRanks)[keyof typeof claimRanks], typeof claimRanks.unreadable>
}

/** `value`: the beginning of what was written instead of an owner, for an operator. */
interface UnreadableClaim {
  readonly kind: 'unreadable'
  readonly value: string
  readonly rank: typeof claimRanks.unreadable
}

export const claimRanks = {
  /** It names no owner. Any other claim replaces it. */
  unreadable: -1,
  /**
   * The payer may have written it (the reference of a payment link). It can add a plan, but never replaces an owner that another customer
   * has. Checkout and portal do not use the customer until `muster billing confirm`.
   */
  reference: 0,
  /** Metadata of one purchase: only the merchant can write it. */
  purchase: 1,
  /** Metadata of the customer. */
  customer: 2,
  /** `muster billing link`. */
  operator: 3,
} as const

/** A webhook event in the form that all processors share. Unused event types have none of the last three members. */
export interface WebhookEvent {
  /** The same in every delivery of the event. */
  readonly eventId: string
  readonly type: string
  /** When it happened by the processor's clock, ISO 8601. */
  readonly at: string
  /** The event contains the subscription. */
  readonly subscription?: { readonly snapshot: Snapshot; readonly rank: Position['rank'] }
  /** The event names a subscription without its state. If `expected` is given, the stored status should be one of these. */
  readonly hint?: { readonly subscriptionId: string; readonly expected?: readonly string[] }
  readonly customer?: CustomerUpdate
}

export interface CustomerUpdate {
  readonly id: string
  readonly claims: readonly Claim[]
  readonly isDeleted?: boolean
}

/** Ids and words of a processor. Printable ASCII, because PostgreSQL cannot store U+0000. */
export const Word = Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' })

/** RFC 3339, with the processor's own precision. */
export const Instant = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
})

/** The value if it has the form, otherwise undefined. For members without which an event still counts. */
export function readIf<const Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined {
  return Value.Check(schema, value) ? value : undefined
}

/** Members of a snapshot. `items`: undefined for an item that Muster cannot read. Every subscription has items: none were read if there are none. */
export function itemsOf(
  items: readonly (Item | undefined)[],
  hasMore = false,
): Pick<Snapshot, 'items' | 'hasUnreadItems'> {
  const read = items.filter((item) => item !== undefined)
  const hasUnreadItems = hasMore || read.length === 0 || read.length < items.length
  return { items: read, ...(hasUnreadItems && { hasUnreadItems }) }
}

/** The quantity of an item, as a member to spread. */
export function quantityOf(value: unknown): { readonly quantity?: number } {
  const quantity = readIf(Quantity, value)
  return quantity === undefined ? {} : { quantity }
}

const Quantity = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** The name of a product, as a member to spread. PostgreSQL cannot store U+0000. */
export function productNameOf(product: unknown): { readonly productName?: string } {
  const name = readIf(Product, product)?.name.replaceAll('\0', '').slice(0, 200)
  return name ? { productName: name } : {}
}

const Product = Type.Object({ name: Type.String() })

/** An `Instant` as `Date.toISOString` writes it. Undefined for any other value. */
export function instantOf(value: unknown): string | undefined {
  const text = readIf(Instant, value)
  if (text === undefined || Number.isNaN(Date.parse(text))) return undefined
  const written = new Date(text).toISOString()
  // PostgreSQL has no year 0, and does not read years of more than four digits in this form.
  return /^(?!0000)\d{4}-/.test(written) ? written : undefined
}

/** The end of a period as `instantOf` writes it. Undefined for a period that ends before it starts. */
export function periodEndOf(start: unknown, end: unknown): string | undefined {
  const [from, to] = [instantOf(start), instantOf(end)]
  return to !== undefined && (from === undefined || from < to) ? to : undefined
}

type ClaimRank = Exclude<ReadableClaim['rank'], typeof claimRanks.operator>

/**
 * The owner that a merchant names in metadata. Each member is checked alone, and `null` and the empty text count as
 * absent. The organization wins if the metadata names both.
 */
export function claimsOfMetadata(metadata: unknown, rank: ClaimRank): Claim[] {
  const { muster_org_id: orgId, muster_account_id: accountId } = readIf(OwnerMetadata, metadata) ?? {}
  const ofOrganization = claimOf({ kind: 'organization', rank }, 'muster_org_id', orgId)
  const ofAccount = claimOf({ kind: 'account', rank }, 'muster_account_id', accountId)
  const isReadable = ofOrganization.some(({ kind }) => kind !== 'unreadable')
  return isReadable ? ofOrganization : [...ofOrganization, ...ofAccount]
}

const OwnerMetadata = Type.Object({
  muster_account_id: Type.Optional(Type.Unknown()),
  muster_org_id: Type.Optional(Type.Unknown()),
})

/** At most one claim. `name`: the member that has the value. */
export function claimOf(claim: Omit<ReadableClaim, 'value'>, name: string, value: unknown): Claim[] {
  if (value === undefined || value === null || value === '') return []
  if (Value.Check(Word, value)) return [{ ...claim, value }]
  return [{ kind: 'unreadable', value: `${name}: ${startOf(value)}`, rank: claimRanks.unreadable }]
}

/** Short, because the value may be a secret or a person's data that was written into the wrong member. */
const startMax = 24

function startOf(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object'
  const characters = [...String(value)]
  const start = JSON.stringify(characters.slice(0, startMax).join(''))
  return characters.length > startMax ? `${start}…` : start
}
