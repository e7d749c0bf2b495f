import Type, { type Static } from 'typebox'
import { contract, flag, jsonExamples, named, object, text, time } from '../platform/http/contract.ts'

/** Maximum prices and customers of each kind in the response; `muster billing` and `muster plans` list all. */
export const listedMax = 100

const HasMore = flag(`Whether there are more than the first ${listedMax}, which are listed.`)

/** The total number, and at most a hundred entries. */
const Kept = <Item extends Type.TSchema>(item: Item, description: string) =>
  object({ count: Type.Integer(), first: Type.Array(item) }, { description })

const SyncReport = named('SyncReport', {
  checked: Type.Integer({ description: 'Subscriptions of the processor that were compared.' }),
  repaired: Kept(
    object({ id: Type.String(), changes: Type.Array(Type.String()) }),
    'Subscriptions that differed and were corrected. Each one is a lost event. `changes` has the differences.',
  ),
  linked: Kept(Type.String(), 'Customers that were linked to an owner.'),
  unknown: Kept(Type.String(), 'Stored subscriptions that are unknown to the processor. They are left unchanged.'),
})

/** What is stored of the last run. */
export type KeptSyncReport = Static<typeof SyncReport>

const ProcessorStatus = named('ProcessorStatus', {
  id: Type.String(),
  title: Type.String(),
  missingSettings: Type.Array(Type.String(), {
    description:
      'Secrets that are not set. Without the webhook secret every event is rejected; without the API key there is no reconciliation and no checkout.',
  }),
  reconciles: flag('Whether its subscriptions can be listed, and so compared.'),
  lastSyncAt: Type.Optional(time('When the last reconciliation finished, on any node or by command.')),
  lastReport: Type.Optional(SyncReport),
  lastFailureAt: Type.Optional(time('When the last failed reconciliation ended.')),
  lastFailure: Type.Optional(text('Why it failed: the code of a problem, or `interrupted` if the process ended.')),
})

const CustomerSubscription = object({ id: Type.String(), status: Type.String(), priceIds: Type.Array(Type.String()) })

const customerMembers = {
  id: text('An id of the payment processor.'),
  processor: Type.String(),
  subscriptions: Type.Array(CustomerSubscription),
}

const WaitingCustomer = named('WaitingCustomer', {
  ...customerMembers,
  claim: Type.Optional(
    object(
      {
        kind: Type.Enum(['account', 'organization', 'any', 'unreadable']),
        value: text(
          'What the merchant or the payer wrote. If it is unreadable: the member and the beginning of its value.',
        ),
      },
      {
        description:
          'The claimed owner. There is no such user or organization, or it has another customer, or the claim is unreadable.',
      },
    ),
  ),
})

const UnconfirmedCustomer = named('UnconfirmedCustomer', {
  ...customerMembers,
  owner: object(
    {
      kind: Type.Enum(['account', 'organization']),
      id: Type.String(),
      name: text('The email of the user, or the name of the organization.'),
    },
    { description: 'The owner named by the payer.' },
  ),
})

const UnmappedPrice = named('UnmappedPrice', {
  id: Type.String(),
  productName: Type.Optional(Type.String()),
  subscriptions: Type.Integer({ description: 'The number of its subscriptions. They grant nothing.' }),
})

const BillingStatus = named('BillingStatus', {
  processors: Type.Array(ProcessorStatus, { description: 'The configured payment processors.' }),
  syncHours: Type.Integer({ description: '`MUSTER_BILLING_SYNC_HOURS`: hours between reconciliations, 0 for never.' }),
  isSyncing: flag('Whether a node is reconciling now.'),
  lastEventAt: Type.Optional(time('When the newest webhook event was received.')),
  unmapped: object(
    { prices: Type.Array(UnmappedPrice), hasMore: HasMore },
    { description: 'Prices of subscriptions without a plan.' },
  ),
  waiting: object(
    { customers: Type.Array(WaitingCustomer), hasMore: HasMore },
    { description: 'Customers with a subscription and no owner.' },
  ),
  unconfirmed: object(
    { customers: Type.Array(UnconfirmedCustomer), hasMore: HasMore },
    { description: 'Customers whose owner was named only by their payer: not used for checkout and portal.' },
  ),
})
type BillingStatus = Static<typeof BillingStatus>

const example: BillingStatus = {
  processors: [
    {
      id: 'stripe',
      title: 'Stripe',
      missingSettings: [],
      reconciles: true,
      lastSyncAt: '2026-11-24T03:00:12.482Z',
      lastReport: {
        checked: 812,
        repaired: { count: 1, first: [{ id: 'sub_1MowQVLkdIwHu7ix', changes: ['status: active → canceled'] }] },
        linked: { count: 0, first: [] },
        unknown: { count: 0, first: [] },
      },
    },
  ],
  syncHours: 24,
  isSyncing: false,
  lastEventAt: '2026-11-24T08:14:55.120Z',
  unmapped: {
    prices: [{ id: 'price_1NpXq2LkdIwHu7ix', productName: 'Extra domains', subscriptions: 3 }],
    hasMore: false,
  },
  waiting: {
    customers: [
      {
        id: 'cus_NffrFeUfNV2Hib',
        processor: 'stripe',
        claim: { kind: 'account', value: 'auth0|42' },
        subscriptions: [{ id: 'sub_1MowQVLkdIwHu7ix', status: 'active', priceIds: ['price_1NpXq2LkdIwHu7ix'] }],
      },
    ],
    hasMore: false,
  },
  unconfirmed: {
    customers: [
      {
        id: 'cus_OtmRvC1qXvjRQn',
        processor: 'stripe',
        owner: { kind: 'account', id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01', name: 'ada@example.com' },
        subscriptions: [],
      },
    ],
    hasMore: false,
  },
}

export const billingStatusContract = contract('GET /api/v1/admin/billing', 'subscriptions:read', {
  id: 'getBillingStatus',
  tag: 'Administration',
  summary: 'Read the state of billing',
  description:
    'The payment processors and their last reconciliation, prices without a plan, and customers that need an owner or a confirmation. Makes no call to a processor.',
  answers: {
    200: jsonExamples('The state of billing', BillingStatus, {
      stripe: { summary: 'One entry of each kind', value: example },
      none: {
        summary: 'No payment processor',
        value: {
          processors: [],
          syncHours: 24,
          isSyncing: false,
          unmapped: { prices: [], hasMore: false },
          waiting: { customers: [], hasMore: false },
          unconfirmed: { customers: [], hasMore: false },
        },
      },
    }),
  },
})
