import Type, { type Static } from 'typebox'
import { administratorNeeds, contract, flag, json, named, object } from '../platform/http/contract.ts'

export const planRankMax = 1_000_000

const ListedPlan = named('ListedPlan', {
  id: Type.String(),
  name: Type.String(),
  isDefault: flag('Whether every user has its permissions, and users without a subscription show it.'),
  rank: Type.Integer({
    description: 'Of several subscriptions in force, user data show the one whose plan has the highest rank.',
  }),
  prices: Type.Array(Type.String(), { description: "Ids of the payment processor's prices that buy it." }),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'The granted actions by resource.',
  }),
})

export const ListedPlans = named('ListedPlans', { plans: Type.Array(ListedPlan) })
export type ListedPlans = Static<typeof ListedPlans>

export const adminPlansContract = contract('GET /api/v1/admin/plans', 'plans:list', {
  id: 'listPlans',
  tag: 'Administration',
  summary: 'List plans',
  description: 'All plans, by id, with their prices and grants.',
  answers: {
    200: json('The plans', ListedPlans, {
      plans: [
        {
          id: 'pro',
          name: 'Pro',
          isDefault: false,
          rank: 2,
          prices: ['price_1PqR5tKb0bVpNxY7'],
          permissions: { reports: ['export'] },
        },
      ],
    }),
  },
})

export const planRankContract = contract('PUT /api/v1/admin/plans/{planId}/rank', 'subscriptions:manage', {
  id: 'rankPlan',
  tag: 'Administration',
  summary: 'Set the rank of a plan',
  description:
    'Of several subscriptions in force, user data show the one whose plan has the highest rank. A rank does not change permissions.',
  needs: administratorNeeds,
  params: object({ planId: Type.String({ pattern: '^[a-z0-9_-]+$', maxLength: 63 }) }),
  body: named('PlanRank', { rank: Type.Integer({ minimum: 0, maximum: planRankMax }) }),
  bodyExamples: { third: { summary: 'Above the ranks 0, 1 and 2', value: { rank: 3 } } },
  answers: { 204: { description: 'The plan has this rank' } },
  problems: ['plan_unknown'],
})
