import Type, { type Static } from 'typebox'
import { administratorNeeds, contract, json, named, object } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'
import { adminPlansContract, planRankContract } from './plans-contract.ts'
import { billingStatusContract } from './status-contract.ts'
import { adminUserSubscriptionsContract } from './user-subscriptions-contract.ts'

const manage = { tag: 'Administration', needs: administratorNeeds } as const
/** Letters, digits and signs that occur in processors' ids. */
const processorId = { pattern: '^[A-Za-z0-9_.:-]+$', minLength: 1, maxLength: 255 } as const
const customerParams = object({ customerId: Type.String(processorId) })
const priceParams = object({ priceId: Type.String(processorId) })

/** Exactly one of the two. */
export const CustomerOwner = named(
  'CustomerOwner',
  { accountId: Type.Optional(Type.String(uuidRules)), orgId: Type.Optional(Type.String(uuidRules)) },
  { minProperties: 1, maxProperties: 1 },
)
export type CustomerOwner = Static<typeof CustomerOwner>

const ownerExamples = {
  account: { summary: 'A user', value: { accountId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' } },
  organization: { summary: 'An organization', value: { orgId: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' } },
} as const

export const billingAdminContracts = {
  listPlans: adminPlansContract,
  rankPlan: planRankContract,
  userSubscriptions: adminUserSubscriptionsContract,
  status: billingStatusContract,
  confirm: contract('POST /api/v1/admin/billing/customers/{customerId}/confirm', 'subscriptions:manage', {
    ...manage,
    id: 'confirmCustomer',
    summary: 'Confirm the owner of a customer',
    description:
      'Confirms the owner that the payer named: from now on checkout and portal use the customer. The body names the owner that the administrator saw.',
    params: customerParams,
    body: CustomerOwner,
    bodyExamples: ownerExamples,
    answers: { 204: { description: 'Confirmed' } },
    problems: ['customer_owner_changed'],
  }),
  link: contract('PUT /api/v1/admin/billing/customers/{customerId}/owner', 'subscriptions:manage', {
    ...manage,
    id: 'linkCustomer',
    summary: 'Link a customer to its owner',
    description:
      'Links a customer of the payment processor to a user or an organization, and overrides any claim. Only another link changes it. The new owner has the plan immediately.',
    params: customerParams,
    body: CustomerOwner,
    bodyExamples: ownerExamples,
    answers: { 204: { description: 'Linked' } },
  }),
  mapPrice: contract('PUT /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', {
    ...manage,
    id: 'mapPrice',
    summary: 'Map a price to a plan',
    description: 'Replaces any earlier mapping. All subscriptions with the price have the plan immediately.',
    params: priceParams,
    body: named('PriceMapping', { planId: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }) }),
    bodyExamples: { pro: { summary: 'The plan pro', value: { planId: 'pro' } } },
    answers: { 204: { description: 'Mapped' } },
  }),
  unmapPrice: contract('DELETE /api/v1/admin/billing/prices/{priceId}/plan', 'subscriptions:manage', {
    ...manage,
    id: 'unmapPrice',
    summary: 'Remove the mapping of a price',
    description: 'Its subscriptions remain, without the grants of the plan. Does nothing if the price has no mapping.',
    params: priceParams,
    answers: { 204: { description: 'The mapping is removed' } },
  }),
}

/** Included only if a configured processor can list subscriptions. */
export const billingSyncContract = contract('POST /api/v1/admin/billing/sync', 'subscriptions:manage', {
  ...manage,
  id: 'startSync',
  summary: 'Start a reconciliation',
  description:
    'Compares all subscriptions with those of the payment processors and repairs differences. Runs in the background. `GET /api/v1/admin/billing` has the report when it is finished.',
  answers: {
    202: json(
      'Started',
      named('StartedSync', {
        processors: Type.Array(Type.String(), { description: 'The processors to compare, in this order.' }),
      }),
      { processors: ['stripe'] },
    ),
  },
  problems: ['sync_running'],
})
