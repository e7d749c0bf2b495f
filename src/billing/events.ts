import Type from 'typebox'

/** A subscription as a payment processor reported it at one moment. */
export interface Snapshot {
  readonly id: string
  readonly customerId: string
  /** The prices of its items, in order; at least one. */
  readonly priceIds: readonly string[]
  readonly productName?: string
  /** The processor's own word. */
  readonly status: string
  /** ISO 8601. */
  readonly createdAt: string
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
export interface Claim {
  /** `any`: the id of an organization, the id of a user, or the subject of an identity. */
  readonly kind: 'account' | 'organization' | 'any'
  readonly value: string
  readonly rank: (typeof claimRanks)[keyof typeof claimRanks]
}

export const claimRanks = {
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

/** Metadata in which a merchant names the owner of a customer. */
export const OwnerMetadata = Type.Object({
  muster_account_id: Type.Optional(Word),
  muster_org_id: Type.Optional(Word),
})

/** The organization wins if the metadata names both. */
export function claimsOfMetadata(
  { muster_account_id: accountId, muster_org_id: orgId }: Type.Static<typeof OwnerMetadata>,
  rank: Exclude<Claim['rank'], typeof claimRanks.operator>,
): Claim[] {
  if (orgId !== undefined) return [{ kind: 'organization', value: orgId, rank }]
  return accountId === undefined ? [] : [{ kind: 'account', value: accountId, rank }]
}
