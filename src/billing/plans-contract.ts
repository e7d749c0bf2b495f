import Type, { type Static } from 'typebox'
import { json, named, type OperationContract } from '../platform/http/contract.ts'

const ListedPlan = named('ListedPlan', {
  id: Type.String(),
  name: Type.String(),
  isDefault: Type.Boolean({ description: 'Whether users without a subscription have it.' }),
  prices: Type.Array(Type.String(), { description: "Ids of the payment processor's prices that buy it." }),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The granted actions by resource.',
  }),
})

export const ListedPlans = named('ListedPlans', { plans: Type.Array(ListedPlan) })
export type ListedPlans = Static<typeof ListedPlans>

export const adminPlansContract = {
  id: 'listPlans',
  method: 'GET',
  path: '/api/v1/admin/plans',
  tag: 'Administration',
  summary: 'List plans',
  description: 'All plans, by id, with their prices and grants.',
  permission: 'plans:list',
  answers: {
    200: json('The plans', ListedPlans, {
      plans: [
        {
          id: 'pro',
          name: 'Pro',
          isDefault: false,
          prices: ['price_1PqR5tKb0bVpNxY7'],
          permissions: { reports: ['export'] },
        },
      ],
    }),
  },
} as const satisfies OperationContract
