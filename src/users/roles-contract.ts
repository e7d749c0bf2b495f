import Type, { type Static } from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import { callerProblems } from '../platform/http/problem-body.ts'

const closed = { additionalProperties: false } as const

const ListedRole = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    forMembers: Type.Boolean({
      description: 'Whether it is for members of organizations. Every other role is for accounts.',
    }),
    requiresMfa: Type.Boolean({
      description: 'Whether what it grants counts only in a session with a second factor.',
    }),
    permissions: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'From resource to the actions that it grants.',
    }),
  },
  { ...closed, $id: 'ListedRole' },
)

export const ListedRoles = Type.Object({ roles: Type.Array(ListedRole) }, { ...closed, $id: 'ListedRoles' })
export type ListedRoles = Static<typeof ListedRoles>

export const adminRolesContract = {
  id: 'listRoles',
  method: 'GET',
  path: '/api/v1/admin/roles',
  tag: 'Administration',
  summary: 'List roles',
  description: 'All roles, by id, and what each grants.',
  permission: 'roles:list',
  answers: {
    200: {
      description: 'The roles',
      content: {
        'application/json': {
          schema: ListedRoles,
          examples: {
            roles: {
              summary: 'One role',
              value: {
                roles: [
                  {
                    id: 'support',
                    name: 'Support',
                    forMembers: false,
                    requiresMfa: true,
                    permissions: { users: ['list', 'read'] },
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
