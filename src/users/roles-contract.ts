import Type, { type Static } from 'typebox'
import { contract, flag, json, named } from '../platform/http/contract.ts'

const ListedRole = named('ListedRole', {
  id: Type.String(),
  name: Type.String(),
  forMembers: flag('true: for members of organizations. false: for accounts.'),
  requiresMfa: flag('Whether the permissions count only in sessions with a second factor.'),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Granted actions by resource.' }),
})

export const ListedRoles = named('ListedRoles', { roles: Type.Array(ListedRole) })
export type ListedRoles = Static<typeof ListedRoles>

export const adminRolesContract = contract('GET /api/v1/admin/roles', 'roles:list', {
  id: 'listRoles',
  tag: 'Administration',
  summary: 'List roles',
  description: 'All roles with their permissions, sorted by id.',
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
})
