import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract, object } from '../platform/http/contract.ts'
import { displayedNamePattern, uuidRules } from '../platform/http/formats.ts'

/** One line of printable text: no control characters, no leading or trailing blanks. */
const nameRules = { minLength: 1, maxLength: 200, pattern: displayedNamePattern } as const
const roleRules = { pattern: '^[a-z][a-z0-9_-]{0,62}$' } as const

const ownOrganization = {
  id: Type.String(),
  name: Type.String(),
  role: Type.String({ description: 'The caller’s role in this organization.' }),
}
export const OwnOrganization = named('OwnOrganization', ownOrganization)
export type OwnOrganization = Static<typeof OwnOrganization>

const Member = named('Member', {
  id: Type.String({ description: 'Account id.' }),
  email: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  role: Type.String({ description: 'The role in this organization.' }),
  joinedAt: Type.String({ description: 'RFC 3339.' }),
})

const invitation = {
  id: Type.String(),
  role: Type.String({ description: 'The role that the new member gets.' }),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  expiresAt: Type.String({ description: 'RFC 3339.' }),
}

export const invitationHoursDefault = 168
const InvitationRequest = named('InvitationRequest', {
  role: Type.Optional(Type.String({ ...roleRules, default: 'member' })),
  expiresInHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720, default: invitationHoursDefault })),
})

export const inOrganization = ids('orgId')
const ofMember = ids('orgId', 'userId')
const ofInvitation = ids('orgId', 'invitationId')

export const common = { tag: 'Organizations' } as const

const orgId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
const exampleOrganization: OwnOrganization = { id: orgId, name: 'Analytical Engines', role: 'owner' }
const exampleInvitation = {
  id: '0197b2a4-6d02-7d10-9f0a-1b0f2f9f7a31',
  role: 'member',
  createdAt: '2026-01-31T09:26:53.589793Z',
  expiresAt: '2026-02-07T09:26:53.589793Z',
}
const exampleToken = 'Zk3vYd0PpE1C2q6b9mJr4tWx8sLh7uNaGfKiOjQeRyA'

const Security = named('OrganizationSecurity', {
  requiresMfa: Type.Boolean({
    description: 'Whether the permissions in the organization count only in sessions with a second factor.',
  }),
})

export const orgsCreateContract = {
  ...common,
  id: 'createOrganization',
  method: 'POST',
  path: '/api/v1/orgs',
  permission: 'organization:create',
  summary: 'Create an organization',
  description: 'The caller becomes its owner.',
  body: named('NewOrganization', { name: Type.String(nameRules) }),
  bodyExamples: { name: { summary: 'A name, which need not be unique', value: { name: 'Analytical Engines' } } },
  answers: { 201: json('The organization', OwnOrganization, exampleOrganization) },
} as const satisfies OperationContract

export const orgsContract = {
  ...common,
  id: 'listOwnOrganizations',
  method: 'GET',
  path: '/api/v1/orgs',
  permission: 'caller',
  actAs: true,
  summary: 'List the caller’s organizations',
  description: 'All of them, in the order in which the caller joined.',
  answers: {
    200: json('The organizations', named('OwnOrganizations', { orgs: Type.Array(OwnOrganization) }), {
      orgs: [exampleOrganization],
    }),
  },
} as const satisfies OperationContract

export const orgsAcceptContract = {
  ...common,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/orgs/accept-invitation',
  permission: 'caller',
  summary: 'Accept an invitation',
  description:
    'Makes the caller a member. A token works once, and only while its creator may manage the organization and has everything that the invitation’s role grants. If the caller is already a member, nothing changes and another user can still use the token.',
  body: named('InvitationToken', { token: Type.String({ minLength: 1, maxLength: 200 }) }),
  bodyExamples: { token: { summary: 'The token from the link', value: { token: exampleToken } } },
  answers: { 200: json('The organization', OwnOrganization, { ...exampleOrganization, role: 'member' }) },
  problems: ['invitation_unknown', 'member_already'],
} as const satisfies OperationContract

export const orgsLeaveContract = {
  ...common,
  id: 'leaveOrganization',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/leave',
  permission: 'member in {orgId}',
  summary: 'Leave an organization',
  description: 'The last member who may manage the organization cannot leave.',
  params: inOrganization,
  answers: { 204: { description: 'Left' } },
  problems: ['last_owner'],
} as const satisfies OperationContract

export const membersPageSizeDefault = 100

export const orgsMembersContract = {
  ...common,
  id: 'listMembers',
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/members',
  permission: 'organization:read in {orgId}',
  summary: 'List the members of an organization',
  description: 'One page. The header `Link` has the URL of the next page and is absent on the last page.',
  params: inOrganization,
  query: object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Members per page. Default: 100.' })),
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
} as const satisfies OperationContract

export const orgsMemberRoleContract = {
  ...common,
  id: 'changeMemberRole',
  method: 'PUT',
  path: '/api/v1/orgs/{orgId}/members/{userId}/role',
  permission: 'organization:manage in {orgId}',
  summary: 'Change the role of a member',
  description:
    'Only roles for members can be assigned. The caller’s role in the organization must grant everything that the old and the new role grant. Callers can change their own role only to one that grants less. The role of the last member who may manage the organization cannot be changed.',
  params: ofMember,
  body: named('MemberRole', { role: Type.String(roleRules) }),
  bodyExamples: { owner: { summary: 'Make an owner', value: { role: 'owner' } } },
  answers: { 204: { description: 'Changed' } },
  problems: ['permission_exceeds', 'self_change', 'member_unknown', 'last_owner'],
} as const satisfies OperationContract

export const orgsMemberRemoveContract = {
  ...common,
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/v1/orgs/{orgId}/members/{userId}',
  permission: 'organization:manage in {orgId}',
  summary: 'Remove a member',
  description:
    'Takes effect at the member’s next request. The last member who may manage the organization cannot be removed. The caller’s role must grant everything that the member’s role grants.',
  params: ofMember,
  answers: { 204: { description: 'Removed' } },
  problems: ['permission_exceeds', 'member_unknown', 'last_owner'],
} as const satisfies OperationContract

export const orgsInviteContract = {
  ...common,
  id: 'createInvitation',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/invitations',
  permission: 'organization:manage in {orgId}',
  summary: 'Create an invitation',
  description:
    'Returns a token for a link that you send yourself. The token is shown only once: no email is sent, and only the hash of the token is stored. The caller’s role must grant everything that the invitation’s role grants.',
  params: inOrganization,
  body: InvitationRequest,
  bodyExamples: { member: { summary: 'A member, valid for a week', value: { role: 'member' } } },
  answers: {
    201: json('The invitation and its token', named('NewInvitation', { ...invitation, token: Type.String() }), {
      ...exampleInvitation,
      token: exampleToken,
    }),
  },
  problems: ['permission_exceeds', 'invitations_full'],
} as const satisfies OperationContract

export const orgsInvitationsContract = {
  ...common,
  id: 'listInvitations',
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/invitations',
  permission: 'organization:manage in {orgId}',
  summary: 'List open invitations',
  description: 'An organization has at most 100 open invitations.',
  params: inOrganization,
  answers: {
    200: json('The invitations', named('Invitations', { invitations: Type.Array(named('Invitation', invitation)) }), {
      invitations: [exampleInvitation],
    }),
  },
} as const satisfies OperationContract

export const orgsInvitationRevokeContract = {
  ...common,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/v1/orgs/{orgId}/invitations/{invitationId}',
  permission: 'organization:manage in {orgId}',
  summary: 'Revoke an invitation',
  description:
    'Makes the token of the invitation invalid. The caller’s role must grant everything that the invitation’s role grants.',
  params: ofInvitation,
  answers: { 204: { description: 'Revoked' } },
  problems: ['permission_exceeds', 'invitation_unknown'],
} as const satisfies OperationContract

export const orgsSecurityContract = {
  ...common,
  id: 'readOrganizationSecurity',
  method: 'GET',
  path: '/api/v1/orgs/{orgId}/security',
  permission: 'member in {orgId}',
  summary: 'Get the security settings of an organization',
  description: 'Also available to members without a second factor.',
  params: inOrganization,
  answers: { 200: json('The security settings', Security, { requiresMfa: true }) },
} as const satisfies OperationContract

export const orgsSecurityChangeContract = {
  ...common,
  id: 'changeOrganizationSecurity',
  method: 'PUT',
  path: '/api/v1/orgs/{orgId}/security',
  permission: 'organization:manage in {orgId}',
  needs: { aal: 2 },
  summary: 'Change the security settings of an organization',
  description:
    'With `requiresMfa`, permissions from a role in the organization and from its plan count only in sessions with a second factor, from the next request on. Otherwise `permissions` in user data omits them. Members without a second factor keep all other access, so that they can set one up.',
  params: inOrganization,
  body: Security,
  bodyExamples: { required: { summary: 'Require a second factor', value: { requiresMfa: true } } },
  answers: { 200: json('The new security settings', Security, { requiresMfa: true }) },
} as const satisfies OperationContract

export const orgsContracts: readonly OperationContract[] = [
  orgsContract,
  orgsCreateContract,
  orgsAcceptContract,
  orgsLeaveContract,
  orgsMembersContract,
  orgsMemberRoleContract,
  orgsMemberRemoveContract,
  orgsInviteContract,
  orgsInvitationsContract,
  orgsInvitationRevokeContract,
  orgsSecurityContract,
  orgsSecurityChangeContract,
]
