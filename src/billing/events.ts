import type { Sales } from './sales.ts'

/** A subscription as a payment processor showed it at one moment. */
export interface Snapshot {
  readonly id: string
  readonly customerId: string
  /** The prices of its items, in their order; at least one. */
  readonly priceIds: readonly string[]
  readonly productName?: string
  /** The processor's word, verbatim. */
  readonly status: string
  /** ISO 8601. */
  readonly createdAt: string
}

/**
 * How new a snapshot is: ISO 8601 and, among news of the same instant, what must come after what. Created 0, updated 1, deleted 2.
 * Two updates of the same instant cannot be told apart by it.
 */
export interface Position {
  readonly at: string
  readonly rank: 0 | 1 | 2
}

/** Whose a customer is, as somebody said. A higher rank beats a newer claim. */
export interface Claim {
  /** `any`: an organisation's id, an account's id, or a person as their issuer names them. */
  readonly kind: 'account' | 'organization' | 'any'
  readonly value: string
  readonly rank: (typeof claimRanks)[keyof typeof claimRanks]
}

export const claimRanks = {
  /** The payer may have written it (the reference of a payment link): it never takes a place that another customer has. */
  reference: 0,
  /** Metadata of one purchase: only the merchant can write it. */
  purchase: 1,
  /** Metadata of the customer. */
  customer: 2,
  /** `muster billing link`. */
  operator: 3,
} as const

export type ProcessorId = 'stripe' | 'paddle' | 'polar'

/** What one event tells, whichever processor sent it. An event that bears on nothing here has none of the three parts. */
export interface News {
  readonly processor: ProcessorId
  readonly eventId: string
  readonly type: string
  /** When it happened by the processor's clock, ISO 8601. */
  readonly at: string
  /** The event shows the subscription. */
  readonly subscription?: { readonly snapshot: Snapshot; readonly rank: Position['rank'] }
  /** The event does not show the subscription, but it would surprise if its status were none of `expected` (none given: any). */
  readonly hint?: { readonly subscriptionId: string; readonly expected?: readonly string[] }
  readonly customer?: CustomerNews
}

export interface CustomerNews {
  readonly id: string
  readonly claims: readonly Claim[]
  readonly isDeleted?: boolean
}

/** A subscription that was asked for. `notBefore` is a moment by the processor's clock, if it told one, that the answer is not older than. */
export interface Fetched {
  readonly snapshot: Snapshot
  readonly customer: CustomerNews
  readonly notBefore?: string
}

/**
 * A payment processor. One file each; what it says is told apart here only by these.
 */
export interface Processor {
  readonly id: ProcessorId
  /**
   * The news in a webhook. `bytes` is the body as it came.
   * Problems: `webhook_unsigned`, `webhook_outdated`, `webhook_unreadable`, `body_malformed`.
   */
  read(bytes: Buffer, headers: Readonly<Record<string, string | string[] | undefined>>): News
  /** Present where the processor can be asked, which takes a key of its API. */
  readonly source?: SubscriptionSource
  /** Present where people can be sent to the processor to buy. */
  readonly sales?: Sales
}

export interface SubscriptionSource {
  readonly processor: ProcessorId
  /** One subscription as it is now, with its product's name; nothing where there is none of that id. Problems: `processor_…`. */
  fetch(subscriptionId: string): Promise<Fetched | undefined>
  /** Every subscription, ended ones too, page by page; without product names. Problems: `processor_…`. */
  pages(signal?: AbortSignal): AsyncIterable<readonly Fetched[]>
}
