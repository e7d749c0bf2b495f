import Type, { type Static } from 'typebox'
import type { OperationContract } from './operation.ts'
import { callerProblems } from './problem.ts'
import { emailRules } from './text.ts'

export const usersPageSizeMax = 1_000

export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.Optional(Type.String(emailRules)),
    role: Type.String(),
    orgs: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false })),
  },
  { additionalProperties: false, $id: 'User' },
)
export type User = Static<typeof User>

export const Users = Type.Object({ users: Type.Array(User) }, { additionalProperties: false, $id: 'Users' })

export const adminUsersFetchContract = {
  id: 'fetchUsers',
  method: 'GET',
  path: '/api/v1/admin/users/fetch',
  tag: 'Administration',
  summary: 'List users',
  description:
    'Needs the permission `users: ["list"]`. Without `limit` and `cursor` the whole list is streamed, from one snapshot of the database. With either, a page is answered; the next one is in the header `Link` until the last.',
  access: 'caller',
  query: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: usersPageSizeMax,
          description: 'Users on a page. Default, where a cursor is sent: 100.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1_024, description: 'From the `Link` of the page before. Opaque.' }),
      ),
    },
    { additionalProperties: false },
  ),
  answers: {
    200: {
      description: 'Users, oldest first',
      headers: {
        Link: {
          description: 'RFC 8288: `<…>; rel="next"`. Absent on the last page and on the whole list.',
          schema: Type.String(),
        },
      },
      content: {
        'application/json': {
          schema: Users,
          examples: {
            page: {
              summary: 'Two users',
              value: {
                users: [
                  {
                    id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
                    email: 'ada@example.com',
                    role: 'admin',
                    orgs: [{ id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', name: 'Analytical Engines' }],
                  },
                  { id: '0197b2a4-6cff-7a20-8a51-6a1b2c3d4e5f', email: 'grace@example.com', role: 'user', orgs: [] },
                ],
              },
            },
          },
        },
      },
    },
  },
  problems: ['input_invalid', 'cursor_invalid', 'permission_missing', ...callerProblems],
} as const satisfies OperationContract
