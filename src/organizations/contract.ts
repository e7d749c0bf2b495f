import Type, { type Static } from 'typebox'
import { contract, flag, json, named, object, ownAccountNeeds, text, time } from '../platform/http/contract.ts'
import { displayedNamePattern, uuidRules } from '../platform/http/formats.ts'

/** One line of printable text: no control characters, no leading or trailing blanks. */
const nameRules = { minLength: 1, maxLength: 200, pattern: displayedNamePattern } as const
export const roleRules = { pattern: '^[a-z][a-z0-9_-]{0,62}$' } as const

const ownOrganization = {
  id: Type.String(),
  name: Type.String(),
  role: text('The caller’s role in this organization.'),
}
export const OwnOrganization = named('OwnOrganization', ownOrganization)
export type OwnOrganization = Static<typeof OwnOrganization>

/** A member of organizations. */
export const requiresMfa = flag(
  'Whether the permissions in the organization count only in sessions with a second factor.',
)

const Organization = named('Organization', {
  id: Type.String(),
  name: Type.String(),
  role: Type.Optional(text('The caller’s role. Absent for a service key.')),
  requiresMfa,
  createdAt: time(),
})
export type Organization = Static<typeof Organization>

const AssignableRole = named('AssignableRole', {
  id: Type.String(),
  name: Type.String(),
  permissions: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Granted actions by resource.' }),
})

const Member = named('Member', {
  id: text('Account id.'),
  email: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  role: text('The role in this organization.'),
  joinedAt: time(),
})
export type Member = Static<typeof Member>

export const common = { tag: 'Organizations' } as const

const orgId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
export const exampleOrganization: OwnOrganization = { id: orgId, name: 'Analytical Engines', role: 'owner' }
const exampleDetails: Organization = {
  ...exampleOrganization,
  requiresMfa: false,
  createdAt: '2026-01-31T09:26:53.589793Z',
}

const Security = named('OrganizationSecurity', {
  requiresMfa,
})

export const membersPageSizeDefault = 100

export const organizationContracts = {
  listOwn: contract('GET /api/v1/orgs', 'caller', {
    ...common,
    id: 'listOwnOrganizations',
    actAs: true,
    summary: 'List the caller’s organizations',
    description: 'All of them, in the order in which the caller joined.',
    answers: {
      200: json('The organizations', named('OwnOrganizations', { orgs: Type.Array(OwnOrganization) }), {
        orgs: [exampleOrganization],
      }),
    },
  }),
  create: contract('POST /api/v1/orgs', 'organization:create', {
    ...common,
    id: 'createOrganization',
    summary: 'Create an organization',
    description: 'The caller becomes its owner.',
    body: named('NewOrganization', { name: Type.String(nameRules) }),
    bodyExamples: { name: { summary: 'A name, which need not be unique', value: { name: 'Analytical Engines' } } },
    answers: { 201: json('The organization', OwnOrganization, exampleOrganization) },
  }),
  read: contract('GET /api/v1/orgs/{orgId}', 'organization:read in {orgId}', {
    ...common,
    id: 'readOrganization',
    summary: 'Get an organization',
    description: 'For members and service keys. The plan is in user data, members have their own list.',
    answers: { 200: json('The organization', Organization, exampleDetails) },
  }),
  rename: contract('PATCH /api/v1/orgs/{orgId}', 'organization:manage in {orgId}', {
    ...common,
    id: 'renameOrganization',
    summary: 'Rename an organization',
    description: 'Names need not be unique. Webhooks notify products with `organization.updated`.',
    body: named('OrganizationChange', { name: Type.String(nameRules) }),
    bodyExamples: { name: { summary: 'A new name', value: { name: 'Difference Engines' } } },
    answers: { 200: json('The renamed organization', Organization, { ...exampleDetails, name: 'Difference Engines' }) },
  }),
  remove: contract('DELETE /api/v1/orgs/{orgId}', 'organization:manage in {orgId}', {
    ...common,
    id: 'deleteOrganization',
    needs: ownAccountNeeds,
    summary: 'Delete an organization',
    description:
      'Deletes the organization with its memberships, invitations and service keys, immediately and for good. Its customers at payment processors lose their owner. The caller’s role must grant everything that the roles of all members grant. Subscriptions must have ended, unless `ignoreSubscriptions` is true: Muster does not cancel them, so the payment processor keeps charging.',
    body: named('OrganizationDeletion', {
      ignoreSubscriptions: Type.Optional(
        Type.Boolean({ default: false, description: 'Delete although a subscription has not ended.' }),
      ),
    }),
    isBodyOptional: true,
    bodyExamples: {
      ignoring: { summary: 'Although a subscription has not ended', value: { ignoreSubscriptions: true } },
    },
    answers: { 204: { description: 'Deleted' } },
    problems: ['permission_exceeds', 'subscription_active'],
  }),
  listRoles: contract('GET /api/v1/orgs/{orgId}/roles', 'organization:manage in {orgId}', {
    ...common,
    id: 'listAssignableRoles',
    summary: 'List the roles that the caller can assign',
    description: 'Roles for members that grant no more than the caller’s own role in the organization, sorted by id.',
    answers: {
      200: json('The roles', named('AssignableRoles', { roles: Type.Array(AssignableRole) }), {
        roles: [{ id: 'member', name: 'Member', permissions: { organization: ['read'] } }],
      }),
    },
  }),
  leave: contract('POST /api/v1/orgs/{orgId}/leave', 'member in {orgId}', {
    ...common,
    id: 'leaveOrganization',
    summary: 'Leave an organization',
    description: 'The last member who may manage the organization cannot leave.',
    answers: { 204: { description: 'Left' } },
    problems: ['last_owner'],
  }),
  listMembers: contract('GET /api/v1/orgs/{orgId}/members', 'organization:read in {orgId}', {
    ...common,
    id: 'listMembers',
    summary: 'List the members of an organization',
    description: 'One page. The header `Link` has the URL of the next page and is absent on the last page.',
    query: object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000, description: 'Members per page. Default: 100.' }),
      ),
      after: Type.Optional(Type.String({ ...uuidRules, description: 'The last account id of the previous page.' })),
    }),
    answers: {
      200: {
        ...json('The members', named('Members', { members: Type.Array(Member) }), {
          members: [
            {
              id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
              email: 'ada@example.com',
              displayName: 'Ada Lovelace',
              role: 'owner',
              joinedAt: '2026-01-31T09:26:53.589793Z',
            },
          ],
        }),
        headers: { Link: { description: 'RFC 8288: the next page, if there is one.', schema: Type.String() } },
      },
    },
  }),
  changeMemberRole: contract('PUT /api/v1/orgs/{orgId}/members/{userId}/role', 'organization:manage in {orgId}', {
    ...common,
    id: 'changeMemberRole',
    summary: 'Change the role of a member',
    description:
      'Only roles for members can be assigned. The caller’s role in the organization must grant everything that the old and the new role grant. Callers can change their own role only to one that grants less. The role of the last member who may manage the organization cannot be changed.',
    body: named('MemberRole', { role: Type.String(roleRules) }),
    bodyExamples: { owner: { summary: 'Make an owner', value: { role: 'owner' } } },
    answers: { 204: { description: 'Changed' } },
    problems: ['permission_exceeds', 'self_change', 'member_unknown', 'last_owner'],
  }),
  removeMember: contract('DELETE /api/v1/orgs/{orgId}/members/{userId}', 'organization:manage in {orgId}', {
    ...common,
    id: 'removeMember',
    summary: 'Remove a member',
    description:
      'Takes effect at the member’s next request. The last member who may manage the organization cannot be removed. The caller’s role must grant everything that the member’s role grants.',
    answers: { 204: { description: 'Removed' } },
    problems: ['permission_exceeds', 'member_unknown', 'last_owner'],
  }),
  readSecurity: contract('GET /api/v1/orgs/{orgId}/security', 'member in {orgId}', {
    ...common,
    id: 'readOrganizationSecurity',
    summary: 'Get the security settings of an organization',
    description: 'Also available to members without a second factor.',
    answers: { 200: json('The security settings', Security, { requiresMfa: true }) },
  }),
  changeSecurity: contract('PUT /api/v1/orgs/{orgId}/security', 'organization:manage in {orgId}', {
    ...common,
    id: 'changeOrganizationSecurity',
    needs: { aal: 2 },
    summary: 'Change the security settings of an organization',
    description:
      'With `requiresMfa`, permissions from a role in the organization and from its plan count only in sessions with a second factor, from the next request on. Otherwise `permissions` in user data omits them. Members without a second factor keep all other access, so that they can set one up.',
    body: Security,
    bodyExamples: { required: { summary: 'Require a second factor', value: { requiresMfa: true } } },
    answers: { 200: json('The new security settings', Security, { requiresMfa: true }) },
  }),
  transfer: contract('POST /api/v1/orgs/{orgId}/transfer', 'organization:manage in {orgId}', {
    ...common,
    id: 'transferOrganization',
    summary: 'Transfer an organization to another member',
    description:
      'Gives the member the caller’s role, and the caller the role `member`. Both change or neither. Only the new owner can undo it.',
    body: named('OrganizationTransfer', { userId: Type.String(uuidRules) }),
    bodyExamples: { member: { summary: 'The new owner', value: { userId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' } } },
    answers: { 204: { description: 'Transferred' } },
    problems: ['permission_exceeds', 'self_change', 'member_unknown', 'last_owner'],
  }),
}
