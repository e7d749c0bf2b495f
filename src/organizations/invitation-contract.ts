import Type, { type Static } from 'typebox'
import { contract, json, jsonExamples, named, object, text, time } from '../platform/http/contract.ts'
import { newEmailRules, uuidRules } from '../platform/http/formats.ts'
import { languages } from '../platform/mail/kinds.ts'
import { common, exampleOrganization, OwnOrganization, roleRules } from './contract.ts'

const invitation = {
  id: Type.String(),
  email: Type.Optional(text('Only the user who has verified this email can accept. Absent for a link.')),
  role: text('The role that the new member gets.'),
  createdAt: time(),
  expiresAt: time(),
  mailedAt: Type.Optional(time('When the last mail to the email was queued. Absent if none was.')),
}

const newInvitation = {
  ...invitation,
  token: Type.Optional(text('For the link that you send. Shown only once. Absent with an email.')),
}
const NewInvitation = named('NewInvitation', newInvitation)
export type NewInvitation = Static<typeof NewInvitation>

const listedInvitation = {
  ...invitation,
  declinedAt: Type.Optional(time('When the invited user declined it.')),
}

const ReceivedInvitation = named('ReceivedInvitation', {
  id: Type.String(),
  organization: object({ id: Type.String(), name: Type.String() }),
  role: text('The role that the caller gets.'),
  createdAt: time(),
  expiresAt: time(),
})

export const invitationHoursDefault = 168
const expiresInHours = Type.Optional(Type.Integer({ minimum: 1, maximum: 720, default: invitationHoursDefault }))
const language = Type.Optional(
  Type.Enum([...languages], {
    description: 'Language of the mail, for recipients who have not chosen one. Default: that of the service.',
  }),
)

const id = '0197b2a4-6d02-7d10-9f0a-1b0f2f9f7a31'
const exampleLink = {
  id,
  role: 'member',
  createdAt: '2026-01-31T09:26:53.589793Z',
  expiresAt: '2026-02-07T09:26:53.589793Z',
}
const exampleInvitation = { ...exampleLink, email: 'grace@example.com', mailedAt: '2026-01-31T09:26:53.589793Z' }
const exampleToken = 'Zk3vYd0PpE1C2q6b9mJr4tWx8sLh7uNaGfKiOjQeRyA'
const joined = json('The organization', OwnOrganization, { ...exampleOrganization, role: 'member' })

const newInvitationAnswer = (description: string) =>
  jsonExamples(description, NewInvitation, {
    email: { summary: 'For an email', value: exampleInvitation },
    link: { summary: 'For a link', value: { ...exampleLink, token: exampleToken } },
  })

export const receivedInvitationsDefault = 100

export const invitationContracts = {
  invite: contract('POST /api/v1/orgs/{orgId}/invitations', 'organization:manage in {orgId}', {
    ...common,
    id: 'createInvitation',
    summary: 'Invite a user',
    description:
      'With `email`, only the user who has verified it can accept. The invitation is mailed if a mail server is configured, and shown by `GET /api/v1/invitations`. Invitations and sign-ups together mail one email at most 3 times an hour and 10 times a day; beyond that the invitation is created without a mail. Without `email`, returns a token for a link that you send yourself, which any signed-in user can use. The caller’s role must grant everything that the invitation’s role grants.',
    body: named('InvitationRequest', {
      role: Type.Optional(Type.String({ ...roleRules, default: 'member' })),
      expiresInHours,
      email: Type.Optional(Type.String(newEmailRules)),
      language,
    }),
    bodyExamples: {
      email: { summary: 'By email', value: { email: 'grace@example.com', role: 'member', language: 'en' } },
      link: { summary: 'A link, valid for a week', value: { role: 'member' } },
    },
    answers: { 201: newInvitationAnswer('The invitation') },
    problems: ['permission_exceeds', 'invitations_full', 'invitation_open', 'member_already'],
  }),
  list: contract('GET /api/v1/orgs/{orgId}/invitations', 'organization:manage in {orgId}', {
    ...common,
    id: 'listInvitations',
    summary: 'List invitations',
    description: 'Those that are open or were declined, the oldest first. An organization has at most 100.',
    answers: {
      200: json(
        'The invitations',
        named('Invitations', { invitations: Type.Array(named('Invitation', listedInvitation)) }),
        { invitations: [exampleInvitation] },
      ),
    },
  }),
  send: contract('POST /api/v1/orgs/{orgId}/invitations/{invitationId}/send', 'organization:manage in {orgId}', {
    ...common,
    id: 'sendInvitation',
    summary: 'Send an invitation again',
    description:
      'The invitation lasts for `expiresInHours` from now and depends on the caller’s role from now on, whoever created it. One that was declined is open again. With an email, it is mailed if a mail server is configured; beyond the limit of mails nothing changes, and the answer is 429. A link gets a new token, and the previous one becomes invalid.',
    body: named('InvitationSending', { expiresInHours, language }),
    isBodyOptional: true,
    bodyExamples: { week: { summary: 'For another week', value: { expiresInHours: 168 } } },
    answers: { 200: newInvitationAnswer('The invitation') },
    problems: ['permission_exceeds', 'invitation_unknown', 'member_already'],
  }),
  revoke: contract('DELETE /api/v1/orgs/{orgId}/invitations/{invitationId}', 'organization:manage in {orgId}', {
    ...common,
    id: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description:
      'Nobody can accept it any more. The caller’s role must grant everything that the invitation’s role grants.',
    answers: { 204: { description: 'Revoked' } },
    problems: ['permission_exceeds', 'invitation_unknown'],
  }),
  acceptToken: contract('POST /api/v1/orgs/accept-invitation', 'caller', {
    ...common,
    id: 'acceptInvitation',
    summary: 'Accept an invitation by its token',
    description:
      'Makes the caller a member. A token works once, and only while its creator may manage the organization and has everything that the invitation’s role grants. If the caller is already a member, nothing changes and another user can still use the token.',
    body: named('InvitationToken', { token: Type.String({ minLength: 1, maxLength: 200 }) }),
    bodyExamples: { token: { summary: 'The token from the link', value: { token: exampleToken } } },
    answers: { 200: joined },
    problems: ['invitation_unknown', 'member_already'],
  }),
  listReceived: contract('GET /api/v1/invitations', 'caller', {
    ...common,
    id: 'listReceivedInvitations',
    actAs: true,
    summary: 'List the invitations to the caller',
    description:
      'Invitations to the verified email of the caller that can be accepted, the oldest first. Empty while the email is unverified. One page. The header `Link` has the URL of the next page and is absent on the last page.',
    query: object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000, description: 'Invitations per page. Default: 100.' }),
      ),
      after: Type.Optional(Type.String({ ...uuidRules, description: 'The last id of the previous page.' })),
    }),
    answers: {
      200: {
        ...json('The invitations', named('ReceivedInvitations', { invitations: Type.Array(ReceivedInvitation) }), {
          invitations: [
            { ...exampleLink, organization: { id: exampleOrganization.id, name: exampleOrganization.name } },
          ],
        }),
        headers: { Link: { description: 'RFC 8288: the next page, if there is one.', schema: Type.String() } },
      },
    },
  }),
  accept: contract('POST /api/v1/invitations/{invitationId}/accept', 'caller', {
    ...common,
    id: 'acceptReceivedInvitation',
    summary: 'Accept an invitation to the caller',
    description: 'Makes the caller a member. An invitation to another email looks like an unknown one.',
    answers: { 200: joined },
    problems: ['invitation_unknown', 'member_already'],
  }),
  decline: contract('POST /api/v1/invitations/{invitationId}/decline', 'caller', {
    ...common,
    id: 'declineInvitation',
    summary: 'Decline an invitation to the caller',
    description: 'The organization sees that it was declined, and can send it again.',
    answers: { 204: { description: 'Declined' } },
    problems: ['invitation_unknown'],
  }),
}
