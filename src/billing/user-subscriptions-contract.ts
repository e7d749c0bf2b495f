import Type, { type Static } from 'typebox'
import { contract, flag, jsonExamples, named, object, text, time } from '../platform/http/contract.ts'

export const userSubscriptionsMax = 100

const Plan = (description: string) => object({ id: Type.String(), name: Type.String() }, { description })

export const UserSubscriptions = named('UserSubscriptions', {
  subscriptions: Type.Array(
    named('UserSubscription', {
      id: text('An id of the payment processor, for example of a customer or a price.'),
      status: text('The processor’s own word.'),
      isInForce: flag(
        'Whether its plan grants permissions: it has a plan and the status `active`, `trialing` or `past_due`.',
      ),
      plan: Type.Optional(
        Plan('Of the plans of its prices, the one with the highest rank. Absent if none of its prices has a plan.'),
      ),
      priceIds: Type.Array(Type.String()),
      productName: Type.Optional(text('The processor’s name for it, if known.')),
      customerId: Type.String(),
      processor: Type.String(),
      isConfirmed: flag('False if only the payer named the owner: the customer is not used for checkout and portal.'),
      organization: Type.Optional(
        object(
          { id: Type.String(), name: Type.String() },
          { description: 'The user’s organization that has it. Absent if the user has it.' },
        ),
      ),
      currentPeriodEnd: Type.Optional(time('When the paid period ends. Absent if the processor does not report it.')),
      cancelAtPeriodEnd: Type.Optional(
        flag('Whether the subscription ends at `currentPeriodEnd`. Otherwise it renews.'),
      ),
      trialEnd: Type.Optional(time('When the trial ends or ended.')),
      quantity: Type.Optional(Type.Integer({ description: 'The quantity of the price of its plan, such as seats.' })),
      createdAt: time('When the subscription began.'),
      asOf: time('By the processor’s clock, the data are no older than this.'),
    }),
  ),
  defaultPlan: Type.Optional(
    Plan(
      'The plan of a user without a subscription. Absent if the user has a subscription, or if there is no default plan.',
    ),
  ),
})
export type UserSubscriptions = Static<typeof UserSubscriptions>

export const adminUserSubscriptionsContract = contract(
  'GET /api/v1/admin/users/{userId}/subscriptions',
  'subscriptions:read',
  {
    id: 'listUserSubscriptions',
    tag: 'Administration',
    summary: 'List the subscriptions of a user',
    description: `The subscriptions of the user and of their organizations, as last reported, at most ${userSubscriptionsMax}: the user’s own first, the one that user data show before the others. Muster stores no amounts: the payment processor has them.`,
    answers: {
      200: jsonExamples('Subscriptions, including ended ones', UserSubscriptions, {
        one: {
          summary: 'One subscription',
          value: {
            subscriptions: [
              {
                id: 'sub_1MowQVLkdIwHu7ix',
                status: 'past_due',
                isInForce: true,
                plan: { id: 'pro', name: 'Pro' },
                priceIds: ['price_1MoBy5LkdIwHu7ix'],
                customerId: 'cus_NffrFeUfNV2Hib',
                processor: 'stripe',
                isConfirmed: true,
                currentPeriodEnd: '2026-11-30T09:26:53Z',
                cancelAtPeriodEnd: false,
                quantity: 1,
                createdAt: '2026-01-31T09:26:53Z',
                asOf: '2026-11-20T07:45:12Z',
              },
            ],
          },
        },
        none: { summary: 'None', value: { subscriptions: [], defaultPlan: { id: 'free', name: 'Free' } } },
      }),
    },
    problems: ['user_unknown'],
  },
)
