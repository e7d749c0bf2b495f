import Type, { type Static } from 'typebox'
import { ids, named, type OperationContract, object } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'

const subscriptionMembers = {
  plan_id: Type.Optional(Type.String()),
  plan_name: Type.Optional(Type.String()),
  status: Type.Optional(Type.String({ description: 'The payment processor’s own word, such as `active`.' })),
  billing_customer_id: Type.Optional(Type.String({ description: 'Customer id at the payment processor.' })),
}

/** A value that does not exist is left out: never `null`, never `""`. */
export const UserData = named('UserData', {
  subscription: Type.Optional(object(subscriptionMembers)),
  orgSubscription: Type.Optional(object({ ...subscriptionMembers, org_id: Type.Optional(Type.String()) })),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'From resource to the actions that the caller may do.',
  }),
  orgId: Type.Optional(Type.String({ description: 'The caller’s current organisation.' })),
  isFirstLogin: Type.Boolean({
    description: 'True during the whole first session in which the user’s data are read.',
  }),
  mfaFactors: Type.Array(object({ id: Type.String(), friendlyName: Type.Optional(Type.String()) }), {
    description: 'Verified factors only.',
  }),
  mfaRequired: Type.Optional(
    Type.Boolean({
      description:
        'Only with `details=true`: whether permissions are missing until this session shows a second factor, because the role or the organisation requires one.',
    }),
  ),
})
export type UserData = Static<typeof UserData>

export const userDataContract = {
  id: 'getUserData',
  method: 'GET',
  path: '/api/v1/user/data',
  tag: 'Account',
  summary: 'The calling user’s data',
  description:
    'Subscription, the organisation’s subscription, permissions, organisation, first login and verified factors, as the database has them now.',
  permission: 'caller',
  actAs: true,
  query: object({
    orgId: Type.Optional(
      Type.String({
        ...uuidRules,
        description: 'Which of the caller’s organisations is the current one. Default: the first joined.',
      }),
    ),
    details: Type.Optional(Type.Boolean({ description: 'Whether to add the member `mfaRequired`.' })),
  }),
  answers: {
    200: {
      description: 'The user’s data',
      headers: {
        ETag: {
          description: 'Send it as `If-None-Match` and get a 304 while nothing has changed.',
          schema: Type.String(),
        },
      },
      content: {
        'application/json': {
          schema: UserData,
          examples: {
            member: {
              summary: 'A paying member of an organisation',
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
            newcomer: {
              summary: 'A person on the default plan, in the first session',
              value: {
                subscription: { plan_id: 'free', plan_name: 'Free', status: 'active' },
                permissions: { provider_keys: ['validate'] },
                isFirstLogin: true,
                mfaFactors: [],
              },
            },
          },
        },
      },
    },
    304: { description: 'Nothing has changed since the answer that `If-None-Match` names.' },
  },
  problems: ['organization_unknown'],
} as const satisfies OperationContract

export const adminUserDataContract = {
  id: 'getDataOfUser',
  method: 'GET',
  path: '/api/v1/admin/users/{userId}/data',
  tag: 'Administration',
  summary: 'The data of one user',
  description:
    'What the user would get from `GET /api/v1/user/data` in a session with a second factor, for programs that act for users. `isFirstLogin` is true before the first session and, with the built-in issuer, while it is the newest one. A disabled user would get nothing: 409.',
  permission: 'user_data:read',
  params: ids('userId'),
  query: object({ orgId: userDataContract.query.properties.orgId }),
  answers: userDataContract.answers,
  problems: ['organization_unknown', 'user_unknown', 'user_disabled'],
} as const satisfies OperationContract
