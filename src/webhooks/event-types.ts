import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { flag, named, object, text, time } from '../platform/http/contract.ts'

/** One event type: when it is written, and its `data`. docs/webhooks.md lists the same; a test compares the two. */
interface EventType {
  readonly meaning: string
  readonly data: TObject
  readonly example: Readonly<Record<string, unknown>>
}

const id = text('A UUID.')
const createdAt = time()

const User = named('WebhookUser', {
  id,
  email: Type.Optional(Type.String()),
  displayName: Type.Optional(Type.String()),
  emailProved: flag('False: anyone may have typed the address.'),
  role: Type.String(),
  status: Type.Enum(['active', 'disabled', 'erasing']),
  createdAt,
  identities: Type.Array(object({ issuer: Type.String(), subject: Type.String() }), {
    description: 'The claims `iss` and `sub` of the tokens of each issuer that signs the user in.',
  }),
})

const Organization = named('WebhookOrganization', { id, name: Type.String(), requiresMfa: Type.Boolean(), createdAt })

const Member = named('WebhookMember', {
  orgId: id,
  userId: id,
  role: text('The role in this organization.'),
})

const RemovedMember = named('WebhookRemovedMember', { orgId: id, userId: id })

const Invitation = named('WebhookInvitation', {
  id,
  orgId: id,
  role: text('The role that the new member gets.'),
  status: Type.Enum(['open', 'declined']),
  expiresAt: time(),
})

const RemovedInvitation = named('WebhookRemovedInvitation', { id, orgId: id })

const Deleted = named('WebhookDeleted', { id })

const Subscription = named('WebhookSubscription', {
  id: text('An id of the payment processor.'),
  userId: Type.Optional(text('The owner, if it is a user.')),
  orgId: Type.Optional(text('The owner, if it is an organization.')),
  status: text('The payment processor’s own word.'),
  planId: Type.Optional(text('The first price, if no price has a plan.')),
  createdAt,
})

const userId = '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01'
const orgId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
const invitationId = '0197b2a4-6d02-7d10-9f0a-1b0f2f9f7a31'
const invitation: Static<typeof Invitation> = {
  id: invitationId,
  orgId,
  role: 'member',
  status: 'open',
  expiresAt: '2026-02-07T09:26:53.589793Z',
}
const user: Static<typeof User> = {
  id: userId,
  email: 'ada@example.com',
  displayName: 'Ada Lovelace',
  emailProved: true,
  role: 'user',
  status: 'active',
  createdAt: '2026-01-31T09:26:53.589793Z',
  identities: [{ issuer: 'https://abcdefghijkl.supabase.co/auth/v1', subject: '5f7c8ec7-c33c-4c00-8bba-fe82a1d0c3b2' }],
}
const organization: Static<typeof Organization> = {
  id: orgId,
  name: 'Analytical Engines',
  requiresMfa: false,
  createdAt: '2026-01-31T09:26:53.589793Z',
}

const eventTypes = {
  'user.created': {
    meaning: 'A user was created: by sign-up, a token of another issuer, an operator or an import.',
    data: User,
    example: user,
  },
  'user.updated': {
    meaning:
      'The email, its verification, the display name, the role or an identity changed, or a disabled user was scheduled for deletion.',
    data: User,
    example: { ...user, role: 'admin' },
  },
  'user.disabled': {
    meaning: 'A user was disabled, possibly because they were scheduled for deletion: see `status`.',
    data: User,
    example: { ...user, status: 'disabled' },
  },
  'user.enabled': { meaning: 'A disabled user was enabled again, or restored.', data: User, example: user },
  'user.deleted': {
    meaning: 'A user was deleted. Earlier events about it that were not delivered yet are removed.',
    data: Deleted,
    example: { id: userId },
  },
  'subscription.changed': {
    meaning: 'A subscription started, or its status, price or owner changed.',
    data: Subscription,
    example: { id: 'sub_1RnQ2b', userId, status: 'active', planId: 'pro', createdAt: '2026-02-01T10:00:00.000000Z' },
  },
  'organization.created': { meaning: 'An organization was created.', data: Organization, example: organization },
  'organization.updated': {
    meaning: 'Its name changed, or whether it requires a second factor.',
    data: Organization,
    example: { ...organization, requiresMfa: true },
  },
  'organization.deleted': {
    meaning:
      'An organization was deleted with its members and invitations. Earlier events about it that were not delivered yet are removed.',
    data: Deleted,
    example: { id: orgId },
  },
  'organization.member_added': {
    meaning: 'A user became a member.',
    data: Member,
    example: { orgId, userId, role: 'member' },
  },
  'organization.member_changed': {
    meaning: 'The role of a member changed.',
    data: Member,
    example: { orgId, userId, role: 'owner' },
  },
  'organization.member_removed': {
    meaning: 'A member left, was removed or was deleted.',
    data: RemovedMember,
    example: { orgId, userId },
  },
  'organization.invitation_added': { meaning: 'An invitation was created.', data: Invitation, example: invitation },
  'organization.invitation_changed': {
    meaning: 'An invitation was declined, or sent again.',
    data: Invitation,
    example: { ...invitation, status: 'declined' },
  },
  'organization.invitation_removed': {
    meaning: 'An invitation was accepted or revoked, or has expired.',
    data: RemovedInvitation,
    example: { id: invitationId, orgId },
  },
} as const satisfies Readonly<Record<string, EventType>>

export type EventTypeName = keyof typeof eventTypes

/** The names, in the order of the documentation. */
export const eventTypeNames = Object.keys(eventTypes) as readonly EventTypeName[] // the keys of a constant are its names

/** Sent at the request of an administrator, to one endpoint only. */
export const testEventType = 'webhook.test'

const Test = named('WebhookTest', {})

/** Every type that an endpoint can receive. */
export const sentTypes: Readonly<Record<string, EventType>> = {
  ...eventTypes,
  [testEventType]: { meaning: 'An administrator tests the endpoint.', data: Test, example: {} },
}

/** The body of a webhook, as defined by Standard Webhooks. */
export function bodySchemaOf(type: string, data: TSchema) {
  return object({
    type: Type.Literal(type),
    timestamp: time('When it happened.'),
    data,
  })
}

/** For the section `webhooks` of the OpenAPI document. */
export const webhookMessages = Object.entries(sentTypes).map(([type, { meaning, data, example }]) => ({
  type,
  meaning,
  body: bodySchemaOf(type, data),
  example: { type, timestamp: '2026-02-01T10:00:01.234567Z', data: example },
}))
