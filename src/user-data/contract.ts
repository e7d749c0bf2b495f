import Type, { type Static } from 'typebox'
import { contract, flag, jsonExamples, named, object, organizationParameter, text } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'

const subscriptionMembers = {
  plan_id: Type.Optional(Type.String()),
  plan_name: Type.Optional(Type.String()),
  status: Type.Optional(text('The status at the payment processor, such as `active`.')),
  billing_customer_id: Type.Optional(text('Customer id at the payment processor.')),
}

const At = (description: string) => Type.Optional(text(`RFC 3339. ${description}`))

/** Members from the payment processor are absent if it did not report them. */
const OwnSubscription = named('OwnSubscription', {
  id: text('The id of the subscription at the payment processor.'),
  orgId: Type.Optional(text('The current organization, if it has the subscription.')),
  plan: Type.Optional(
    object(
      { id: Type.String(), name: Type.String() },
      { description: 'The plan that it is shown with. Absent if none of its prices has a plan.' },
    ),
  ),
  productName: Type.Optional(text('The payment processor’s name for it.')),
  status: text('The status at the payment processor, such as `active`.'),
  currentPeriodEnd: At('When the paid period ends.'),
  cancelAtPeriodEnd: Type.Optional(flag('Whether the subscription ends at `currentPeriodEnd`. Otherwise it renews.')),
  trialEnd: At('When the trial ends or ended.'),
  quantity: Type.Optional(Type.Integer({ description: 'The quantity of the price of its plan, such as seats.' })),
})

/** A missing value is omitted: never `null`, never `""`. */
export const UserData = named('UserData', {
  subscription: Type.Optional(object(subscriptionMembers)),
  orgSubscription: Type.Optional(object({ ...subscriptionMembers, org_id: Type.Optional(Type.String()) })),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Permitted actions by resource.',
  }),
  orgId: Type.Optional(text('The current organization.')),
  isFirstLogin: flag('True during the first session in which user data is read.'),
  mfaFactors: Type.Array(object({ id: Type.String(), friendlyName: Type.Optional(Type.String()) }), {
    description: 'Verified factors only.',
  }),
  userId: Type.Optional(text('Only with `details=true`: the ID of the user.')),
  mfaRequired: Type.Optional(
    flag(
      'Only with `details=true`: whether permissions are withheld until this session has a second factor, because the role or the organization requires one.',
    ),
  ),
  subscriptions: Type.Optional(
    Type.Array(OwnSubscription, {
      description:
        'Only with `details=true`: all subscriptions, the user’s own and then those of the current organization. The first of each is the one in `subscription` and `orgSubscription`.',
    }),
  ),
})
export type UserData = Static<typeof UserData>

export const userDataContract = contract('GET /api/v1/user/data', 'caller', {
  id: 'getUserData',
  tag: 'Account',
  summary: 'Get the caller’s user data',
  description:
    'Subscription, permissions, organization and its subscription, first login and verified factors, read from the database on every request.',
  actAs: true,
  query: object({
    ...organizationParameter,
    details: Type.Optional(flag('Whether to add the members `userId`, `mfaRequired` and `subscriptions`.')),
  }),
  answers: {
    200: {
      ...jsonExamples('User data', UserData, {
        member: {
          summary: 'A paying member of an organization',
          value: {
            subscription: {
              plan_id: 'pro',
              plan_name: 'Pro',
              status: 'active',
              billing_customer_id: 'cus_NffrFeUfNV2Hib',
            },
            orgSubscription: {
              plan_id: 'team',
              plan_name: 'Team',
              status: 'past_due',
              billing_customer_id: 'cus_OtmRvC1qXvjRQn',
              org_id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f',
            },
            permissions: { provider_keys: ['validate'], users: ['list'] },
            orgId: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f',
            isFirstLogin: false,
            mfaFactors: [{ id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', friendlyName: 'Phone' }],
          },
        },
        details: {
          summary: 'A paying user, with details',
          value: {
            subscription: {
              plan_id: 'pro',
              plan_name: 'Pro',
              status: 'active',
              billing_customer_id: 'cus_NffrFeUfNV2Hib',
            },
            permissions: { provider_keys: ['validate'] },
            isFirstLogin: false,
            mfaFactors: [],
            mfaRequired: false,
            subscriptions: [
              {
                id: 'sub_1MowQVLkdIwHu7ix',
                plan: { id: 'pro', name: 'Pro' },
                status: 'active',
                currentPeriodEnd: '2026-12-31T09:26:53.000Z',
                cancelAtPeriodEnd: false,
                quantity: 1,
              },
            ],
          },
        },
        newcomer: {
          summary: 'A user on the default plan, in the first session',
          value: {
            subscription: { plan_id: 'free', plan_name: 'Free', status: 'active' },
            permissions: { provider_keys: ['validate'] },
            isFirstLogin: true,
            mfaFactors: [],
          },
        },
      }),
      headers: {
        ETag: {
          description: 'Send it as `If-None-Match` to get a 304 while nothing has changed.',
          schema: Type.String(),
        },
      },
    },
    304: { description: 'Nothing has changed since the response named in `If-None-Match`.' },
  },
})

export const adminUserDataContract = contract('GET /api/v1/admin/users/{userId}/data', 'user_data:read', {
  id: 'getDataOfUser',
  tag: 'Administration',
  summary: 'Get the data of a user',
  description:
    'What the user would get from `GET /api/v1/user/data` in a new session with a second factor, for programs that act for users. `isFirstLogin` is true before the first session and, with the built-in issuer, while the first session is the newest one. Responds with 409 if the user is disabled.',
  query: object({
    orgId: Type.Optional(
      Type.String({
        ...uuidRules,
        description: 'An organization of the user, to use as the current one. Default: the one joined first.',
      }),
    ),
  }),
  answers: userDataContract.answers,
  problems: ['organization_unknown', 'user_unknown', 'user_disabled'],
})
