import Type, { type Static } from 'typebox'
import { contract, json, named, object, pageLinks, pageQuery, text, time } from '../platform/http/contract.ts'
import { displayedPartPattern } from '../platform/http/formats.ts'
import { requiresMfa } from './contract.ts'

const listedOrganizationsMax = 200
export const listedOrganizationsDefault = 50

const ListedOrganization = named('ListedOrganization', {
  id: Type.String(),
  name: Type.String(),
  createdAt: time(),
  members: Type.Integer({ description: 'Number of members.' }),
  requiresMfa,
  plan: Type.Optional(text('The id of the plan of its subscription. Absent without an active subscription.')),
})

export const ListedOrganizations = named('ListedOrganizations', { organizations: Type.Array(ListedOrganization) })
export type ListedOrganizations = Static<typeof ListedOrganizations>

export const organizationSortNames = ['name', '-name', 'created', '-created'] as const

const ListedOrganizationsQuery = object({
  ...pageQuery('Organizations', { max: listedOrganizationsMax, usual: listedOrganizationsDefault }, 'search and sort'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: displayedPartPattern,
      description: 'A part of the name, case-insensitive and without wildcards.',
    }),
  ),
  sort: Type.Optional(
    Type.Enum([...organizationSortNames], {
      description: 'Default: `name`, case-insensitive. `-` reverses the order.',
    }),
  ),
})

export const adminOrganizationsContract = contract('GET /api/v1/admin/organizations', 'organizations:list', {
  id: 'listOrganizations',
  tag: 'Administration',
  summary: 'List organizations',
  description:
    'One page, sorted by name by default. The header `Link` has the URLs of the next and the previous page. Organizations added, deleted or renamed in the meantime never cause another organization to be repeated or skipped. For the members of an organization use `GET /api/v1/admin/users?orgId=…`.',
  query: ListedOrganizationsQuery,
  answers: {
    200: {
      ...json('Organizations in the requested order', ListedOrganizations, {
        organizations: [
          {
            id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f',
            name: 'Analytical Engines',
            createdAt: '2026-01-31T09:26:53.589793Z',
            members: 12,
            requiresMfa: false,
            plan: 'team',
          },
        ],
      }),
      headers: pageLinks,
    },
  },
  problems: ['cursor_invalid'],
})
