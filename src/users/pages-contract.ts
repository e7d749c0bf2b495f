import Type, { type Static } from 'typebox'
import { contract, flag, json, named, object, pageLinks, pageQuery, text, time } from '../platform/http/contract.ts'
import { emailRules } from '../platform/http/formats.ts'
import { filterParameters, sortNames } from './filters.ts'

const listedUsersMax = 200
export const listedUsersDefault = 50

export const ListedUser = named('ListedUser', {
  id: Type.String(),
  email: Type.Optional(Type.String(emailRules)),
  displayName: Type.Optional(Type.String()),
  emailProved: flag('Whether the email is verified.'),
  status: Type.Enum(['active', 'disabled', 'erasing']),
  role: Type.String(),
  isAdministrator: flag('Whether the user is enabled and the role grants `users:change_role` and `users:enable`.'),
  createdAt: time(),
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
