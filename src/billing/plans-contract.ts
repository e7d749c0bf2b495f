import Type, { type Static } from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import { callerProblems } from '../platform/http/problem-body.ts'

const closed = { additionalProperties: false } as const

const ListedPlan = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    isDefault: Type.Boolean({ description: 'Whether accounts without a subscription have it.' }),
    prices: Type.Array(Type.String(), { description: 'Ids of the prices of the payment processor that buy it.' }),
    permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'From resource to the actions that it grants.',
    }),
  },
  { ...closed, $id: 'ListedPlan' },
)

export const ListedPlans = Type.Object({ plans: Type.Array(ListedPlan) }, { ...closed, $id: 'ListedPlans' })
export type ListedPlans = Static<typeof ListedPlans>

export const adminPlansContract = {
  id: 'listPlans',
  method: 'GET',
  path: '/api/v1/admin/plans',
  tag: 'Administration',
  summary: 'List plans',
  description: 'All plans, by id, the prices that buy each, and what it grants.',
  permission: 'plans:list',
  answers: {
    200: {
      description: 'The plans',
      content: {
        'application/json': {
          schema: ListedPlans,
          examples: {
            plans: {
              summary: 'One plan',
              value: {
                plans: [
                  {
                    id: 'pro',
                    name: 'Pro',
                    isDefault: false,
                    prices: ['price_1PqR5tKb0bVpNxY7'],
                    permissions: { reports: ['export'] },
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
  problems: ['input_invalid', 'permission_missing', 'step_up_required', ...callerProblems],
} as const satisfies OperationContract
