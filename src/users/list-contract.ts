import Type, { type Static } from 'typebox'
import { contract, flag, json, named, object, pageLinks, pageQuery, text, time } from '../platform/http/contract.ts'
import { emailRules } from '../platform/http/formats.ts'
import { userMembers } from './contract.ts'
import { filterParameters, sortNames } from './filters.ts'
import { csvExample } from './list-formats.ts'

export const usersPageSizeMax = 1_000
export const usersPageSizeDefault = 100

export const User = named('User', {
  id: Type.String(),
  email: Type.Optional(Type.String(emailRules)),
  role: Type.String(),
  orgs: Type.Array(object({ id: Type.String(), name: Type.String() })),
})
export type User = Static<typeof User>

export const Users = named('Users', { users: Type.Array(User) })

export const UsersQuery = object({
  ...pageQuery('Users', { max: usersPageSizeMax, usual: usersPageSizeDefault }, 'filters and sort'),
  ...filterParameters,
  sort: Type.Optional(
    Type.Enum([...sortNames], {
      description:
        'Default: `created`, oldest first. `email` sorts by the bytes of the lower-case email, users without an email first. `-` reverses the order.',
    }),
  ),
  count: Type.Optional(
    Type.Enum(['exact'], { description: 'Adds the header `Total-Count`. Counting has a separate time limit.' }),
  ),
})

const exampleUsers = [
  {
    id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
    email: 'ada@example.com',
    role: 'admin',
    orgs: [{ id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', name: 'Analytical Engines' }],
  },
  { id: '0197b2a4-6cff-7a20-8a51-6a1b2c3d4e5f', email: 'grace@example.com', role: 'user', orgs: [] },
]

export const adminUsersFetchContract = contract('GET /api/v1/admin/users/fetch', 'users:list', {
  id: 'fetchUsers',
  tag: 'Administration',
  summary: 'List users',
  description:
    'Without `limit` and `cursor`, the response is the full list, streamed from one snapshot of the database. If the stream fails, the connection is aborted and the body is incomplete. With `limit` or `cursor`, the response is one page; the header `Link` has the URL of the next page and is absent on the last page. `Accept` selects JSON, CSV or one JSON object per line. The full list supports `Accept-Encoding: gzip`.',
  query: UsersQuery,
  answers: {
    200: {
      description: 'Users in the requested order',
      headers: {
        'Content-Disposition': {
          description:
            'RFC 6266. Only for CSV and NDJSON: `attachment` with a file name that has the day in UTC, such as `users-2026-01-31.csv`.',
          schema: Type.String(),
        },
        Link: {
          description: 'RFC 8288: `<…>; rel="next"`. Absent on the last page and for the full list.',
          schema: Type.String(),
        },
        'Total-Count': {
          description:
            'With `count=exact`: the number of users that match the filters, counted just before the list was read.',
          schema: Type.Integer({ minimum: 0 }),
        },
      },
      content: {
        'application/json': {
          schema: Users,
          examples: { page: { summary: 'Two users', value: { users: exampleUsers } } },
        },
        'application/x-ndjson': {
          schema: text('One user per line, as JSON.'),
          examples: {
            page: { summary: 'Two users', value: exampleUsers.map((user) => `${JSON.stringify(user)}\n`).join('') },
          },
        },
        'text/csv': {
          schema: text(
            'RFC 4180, with every field quoted. A field that a spreadsheet would read as a formula starts with an apostrophe. `Accept: text/csv; bom=present` adds a byte order mark, which spreadsheets need to read UTF-8.',
          ),
          examples: { page: { summary: 'One user', value: csvExample } },
        },
      },
    },
  },
  problems: ['cursor_invalid', 'organization_unknown', 'format_not_acceptable', 'count_timeout'],
})

const listedUsersMax = 200
export const listedUsersDefault = 50

export const ListedUser = named('ListedUser', {
  ...userMembers,
  isAdministrator: flag('Whether the user is enabled and the role grants `users:change_role` and `users:enable`.'),
  lastSignInAt: Type.Optional(
    time(
      'The last sign-in at the built-in issuer, from the audit log. Absent if there was none or it is too long ago.',
    ),
  ),
  plan: Type.Optional(
    text(
      'The id of the active plan: the plan of the user’s own subscription, or the default plan without a subscription. Absent if the subscription is not active.',
    ),
  ),
})
export type ListedUser = Static<typeof ListedUser>

export const ListedUsers = named('ListedUsers', { users: Type.Array(ListedUser) })
export type ListedUsers = Static<typeof ListedUsers>

const { email, ...parameters } = filterParameters

const ListedUsersQuery = object({
  ...pageQuery('Users', { max: listedUsersMax, usual: listedUsersDefault }, 'filters and sort'),
  ...parameters,
  sort: Type.Optional(
    Type.Enum([...sortNames], {
      description:
        'Default: `-created`, newest first. `email` sorts by the bytes of the lower-case email, users without an email first. `-` reverses the order.',
    }),
  ),
})

const example: ListedUser = {
  id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
  email: 'ada@example.com',
  displayName: 'Ada Lovelace',
  emailProved: true,
  status: 'active',
  role: 'admin',
  isAdministrator: true,
  createdAt: '2026-01-31T09:26:53.589793Z',
  lastSignInAt: '2026-11-02T08:00:00.120045Z',
  plan: 'free',
}

export const adminUsersContract = contract('GET /api/v1/admin/users', 'users:list', {
  id: 'listUsers',
  tag: 'Administration',
  summary: 'List users in pages',
  description:
    'One page, newest first by default. The header `Link` has the URLs of the next and the previous page. Users added or deleted in the meantime never cause another user to be repeated or skipped. A previous page can be empty if its users were deleted.',
  query: ListedUsersQuery,
  answers: { 200: { ...json('Users in the requested order', ListedUsers, { users: [example] }), headers: pageLinks } },
  problems: ['cursor_invalid', 'organization_unknown'],
})
