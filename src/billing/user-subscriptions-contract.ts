import Type, { type Static } from 'typebox'
import { ids, named, type OperationContract, object } from '../platform/http/contract.ts'

export const userSubscriptionsMax = 100

const Plan = (description: string) => object({ id: Type.String(), name: Type.String() }, { description })

export const UserSubscriptions = named('UserSubscriptions', {
  subscriptions: Type.Array(
    named('UserSubscription', {
      id: Type.String({ description: 'Of the payment processor, as the ids of its customer and prices.' }),
      status: Type.String({ description: 'The processor’s own word.' }),
      isInForce: Type.Boolean({
        description:
          'Whether its plan grants its permissions: of status `active`, `trialing` or `past_due`, and with a plan.',
      }),
      plan: Type.Optional(Plan('The plan that its price is mapped to. Absent where there is none.')),
      priceIds: Type.Array(Type.String()),
      productName: Type.Optional(Type.String({ description: 'As the processor calls it, where it is known.' })),
      customerId: Type.String(),
      processor: Type.String(),
      isConfirmed: Type.Boolean({
        description:
          'False where only the payer has named the owner: the customer is not used for checkout and portal.',
      }),
      organization: Type.Optional(
        object(
          { id: Type.String(), name: Type.String() },
          { description: 'The organisation of the user that has it. Absent where it is the user’s own.' },
        ),
      ),
      createdAt: Type.String({ description: 'RFC 3339. When the subscription began.' }),
      asOf: Type.String({
        description: 'RFC 3339. By the processor’s clock, what is shown is no older than this.',
      }),
    }),
  ),
  defaultPlan: Type.Optional(
    Plan(
      'The plan that the user has without a subscription. Absent where the user has a subscription, or where there is no default plan.',
    ),
  ),
})
export type UserSubscriptions = Static<typeof UserSubscriptions>

export const adminUserSubscriptionsContract = {
  id: 'listUserSubscriptions',
  method: 'GET',
  path: '/api/v1/admin/users/{userId}/subscriptions',
  tag: 'Administration',
  permission: 'subscriptions:read',
  summary: 'List the subscriptions of a user',
  description: `Those of the user and of their organisations, as they were last heard of: the user’s own first, the newest first, at most ${userSubscriptionsMax}. Muster stores no prices in money and no periods: the payment processor has them.`,
  params: ids('userId'),
  answers: {
    200: {
      description: 'Subscriptions, ended ones too',
      content: {
        'application/json': {
          schema: UserSubscriptions,
          examples: {
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
                    createdAt: '2026-01-31T09:26:53Z',
                    asOf: '2026-11-20T07:45:12Z',
                  },
                ],
              },
            },
            none: {
              summary: 'None',
              value: { subscriptions: [], defaultPlan: { id: 'free', name: 'Free' } },
            },
          },
        },
      },
    },
  },
  problems: ['user_unknown'],
} as const satisfies OperationContract
