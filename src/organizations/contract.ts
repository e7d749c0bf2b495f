import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract, object } from '../platform/http/contract.ts'
import { displayedNamePattern, uuidRules } from '../platform/http/formats.ts'

/** One line of printable text: no control characters, no blank at either end. */
export const nameRules = { minLength: 1, maxLength: 200, pattern: displayedNamePattern } as const
const roleRules = { pattern: '^[a-z][a-z0-9_-]{0,62}$' } as const

const ownOrganization = {
  id: Type.String(),
  name: Type.String(),
  role: Type.String({ description: 'The caller’s, in this organisation.' }),
}
export const OwnOrganization = named('OwnOrganization', ownOrganization)
export type OwnOrganization = Static<typeof OwnOrganization>

const Member = named('Member', {
  id: Type.String({ description: 'Of the account.' }),
  email: Type.Optional(Type.String()),
  role: Type.String({ description: 'In this organisation.' }),
  joinedAt: Type.String({ description: 'RFC 3339.' }),
})

const invitation = {
  id: Type.String(),
  role: Type.String({ description: 'The role that the invitation gives.' }),
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

export const common = { tag: 'Organisations' } as const

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
    description: 'Whether what the organisation grants its members counts only in a session with a second factor.',
  }),
})

export const orgsCreateContract = {
  ...common,
  id: 'createOrganization',
  method: 'POST',
  path: '/api/v1/orgs',
  permission: 'organization:create',
  summary: 'Create an organisation',
  description: 'The caller becomes its owner.',
  body: named('NewOrganization', { name: Type.String(nameRules) }),
  bodyExamples: { name: { summary: 'Names need not be unique', value: { name: 'Analytical Engines' } } },
  answers: { 201: json('The organisation', OwnOrganization, exampleOrganization) },
} as const satisfies OperationContract

export const orgsContract = {
  ...common,
  id: 'listOwnOrganizations',
  method: 'GET',
  path: '/api/v1/orgs',
  permission: 'caller',
  actAs: true,
  summary: 'The caller’s organisations',
  description: 'All of them, the first joined first.',
  answers: {
    200: json('The organisations', named('OwnOrganizations', { orgs: Type.Array(OwnOrganization) }), {
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
    'Makes the caller a member. A token works once, and only while its creator may manage the organisation and holds what its role grants. For a caller who is a member already, nothing changes and the token can still be used by another user.',
  body: named('InvitationToken', { token: Type.String({ minLength: 1, maxLength: 200 }) }),
  bodyExamples: { token: { summary: 'The token of the link', value: { token: exampleToken } } },
  answers: { 200: json('The organisation', OwnOrganization, { ...exampleOrganization, role: 'member' }) },
  problems: ['invitation_unknown', 'member_already'],
} as const satisfies OperationContract

export const orgsLeaveContract = {
  ...common,
  id: 'leaveOrganization',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/leave',
  permission: 'member in {orgId}',
  summary: 'Leave an organisation',
  description: 'The last member who may manage the organisation cannot leave it.',
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
  summary: 'The members of an organisation',
  description: 'One page; the header `Link` has the address of the next one, and is missing on the last.',
  params: inOrganization,
  query: object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, description: 'Members in a page; 100 by default.' }),
    ),
    after: Type.Optional(Type.String({ ...uuidRules, description: 'The last account of the page before.' })),
  }),
  answers: {
    200: {
      ...json('The members', named('Members', { members: Type.Array(Member) }), {
        members: [
          {
            id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
            email: 'ada@example.com',
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
    'Only roles for members can be given. The role of the caller in the organisation grants everything that the old and the new role grant. Callers can change their own role only to one that grants less. The last member who may manage the organisation keeps their role.',
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
    'Takes effect at the member’s next call. The last member who may manage the organisation cannot be removed, nor a member whose role grants more than that of the caller.',
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
    'Answers a token, once, for a link that you send yourself: nothing is mailed, and only the hash of the token is stored. The role grants nothing that that of the caller does not.',
  params: inOrganization,
  body: InvitationRequest,
  bodyExamples: { member: { summary: 'A member, within a week', value: { role: 'member' } } },
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
  summary: 'Open invitations',
  description: 'At most 100 are open at a time.',
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
    'The token of the invitation is refused from then on. The role of the invitation grants nothing that that of the caller does not.',
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
  summary: 'Whether an organisation requires a second factor',
  description: 'Also shown to members whose session has none.',
  params: inOrganization,
  answers: { 200: json('What it requires', Security, { requiresMfa: true }) },
} as const satisfies OperationContract

export const orgsSecurityChangeContract = {
  ...common,
  id: 'changeOrganizationSecurity',
  method: 'PUT',
  path: '/api/v1/orgs/{orgId}/security',
  permission: 'organization:manage in {orgId}',
  needs: { aal: 2 },
  summary: 'Require a second factor in an organisation',
  description:
    'From the next call on, what a role in the organisation and its plan grant counts only in sessions with a second factor; `permissions` of user data shows nothing else. Members without one keep everything else, so that they can set one up.',
  params: inOrganization,
  body: Security,
  bodyExamples: { required: { summary: 'Require a second factor', value: { requiresMfa: true } } },
  answers: { 200: json('What it requires from now on', Security, { requiresMfa: true }) },
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
