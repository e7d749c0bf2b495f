import Type, { type Static } from 'typebox'
import { json, named, type OperationContract } from '../platform/http/contract.ts'

const ListedRole = named('ListedRole', {
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
})

export const ListedRoles = named('ListedRoles', { roles: Type.Array(ListedRole) })
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
    200: json('The roles', ListedRoles, {
      roles: [
        {
          id: 'support',
          name: 'Support',
          forMembers: false,
          requiresMfa: true,
          permissions: { users: ['list', 'read'] },
        },
      ],
    }),
  },
} as const satisfies OperationContract
