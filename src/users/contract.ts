import Type, { type Static } from 'typebox'
import { erasureAnswer } from '../identity/erasure-contract.ts'
import { preferenceSchemas } from '../identity/preferences.ts'
import { administratorNeeds, contract, flag, json, named, object, text, time } from '../platform/http/contract.ts'
import { emailRules } from '../platform/http/formats.ts'
import { Identity } from './filters.ts'

export const userMembers = {
  id: Type.String(),
  email: Type.Optional(Type.String(emailRules)),
  displayName: Type.Optional(Type.String()),
  emailProved: flag('Whether the email is verified. Anyone may have entered an unverified one.'),
  role: Type.String(),
  status: Type.Enum(['active', 'disabled', 'erasing']),
  createdAt: time(),
}

export const UserRecord = named('UserRecord', {
  ...userMembers,
  disabledAt: Type.Optional(time()),
  erasesAt: Type.Optional(
    time('With status `erasing`: when the account will be deleted. Until then it can be restored.'),
  ),
  orgs: Type.Array(object({ id: Type.String(), name: Type.String(), role: text('In this organization.') })),
  identities: Type.Array(object({ issuer: Type.String(), subject: Type.String() }), {
    description:
      'With whom and as whom the user signs in: the claims `iss` and `sub` of the tokens of each issuer. The subject of the built-in issuer is the ID of the user.',
  }),
  signInWaits: Type.Optional(
    Type.Array(
      object({
        scope: Type.Enum(['unknown_devices', 'known_network', 'device', 'session', 'second_step'], {
          description: 'The clients whose sign-in attempts are blocked.',
        }),
        until: Type.Optional(
          time('Absent if the block does not end by itself: codes of authenticator apps are rejected.'),
        ),
      }),
      {
        description:
          'Only in responses to reads, and only during a lockout after wrong passwords or codes. Not covered by `ETag`.',
      },
    ),
  ),
})
export type UserRecord = Static<typeof UserRecord>

export const RoleChange = named('RoleChange', { role: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }) })

const etag = {
  ETag: { description: 'The version of the user. Send it as `If-Match` with a change.', schema: Type.String() },
}

const example: UserRecord = {
  id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
  email: 'ada@example.com',
  displayName: 'Ada Lovelace',
  emailProved: true,
  role: 'admin',
  status: 'active',
  createdAt: '2026-01-31T09:26:53.589793Z',
  orgs: [{ id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', name: 'Analytical Engines', role: 'owner' }],
  identities: [{ issuer: 'https://muster.example.com', subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' }],
}

const userAnswer = { ...json('The user', UserRecord, example), headers: etag } as const

const commonProblems = ['user_unknown'] as const
/** Optimistic concurrency: a change needs the `ETag` that the caller has read (RFC 9110 §13.1.1, RFC 6585 §3). */
const changeProblems = [
  ...commonProblems,
  'precondition_required',
  'precondition_failed',
  'last_administrator',
  'permission_exceeds',
] as const

const common = { tag: 'Administration' } as const

export const userContracts = {
  read: contract('GET /api/v1/admin/users/{userId}', 'users:read', {
    ...common,
    id: 'getUser',
    summary: 'Get a user',
    description:
      'The user with status, organizations and identities, and with the current lockouts after wrong passwords and codes.',
    answers: { 200: userAnswer },
    problems: commonProblems,
  }),
  find: contract('GET /api/v1/admin/users/by-identity', 'users:read', {
    tag: 'Administration',
    id: 'findUser',
    summary: 'Find a user by issuer and subject',
    description:
      'The user whose tokens have these claims `iss` and `sub`, for programs that know their users by the ID of another issuer. Includes disabled users and users scheduled for deletion.',
    query: Identity,
    answers: { 200: userAnswer },
    problems: commonProblems,
  }),
  disable: contract('POST /api/v1/admin/users/{userId}/disable', 'users:disable', {
    ...common,
    id: 'disableUser',
    summary: 'Disable a user',
    description:
      'Requires the header `If-Match`. Ends the user’s sessions and rejects all of their tokens. The last administrator cannot be disabled. The caller’s role must grant everything that the user’s role grants.',
    answers: { 200: userAnswer },
    problems: changeProblems,
  }),
  enable: contract('POST /api/v1/admin/users/{userId}/enable', 'users:enable', {
    ...common,
    id: 'enableUser',
    summary: 'Enable a user',
    description:
      'Requires the header `If-Match`. Ended sessions stay ended. Restores a user who is scheduled for deletion. The caller’s role must grant everything that the user’s role grants.',
    answers: { 200: userAnswer },
    problems: changeProblems,
  }),
  changeRole: contract('PUT /api/v1/admin/users/{userId}/role', 'users:change_role', {
    ...common,
    id: 'changeUserRole',
    needs: administratorNeeds,
    summary: 'Change the role of a user',
    description:
      'Requires the header `If-Match`. The caller’s role must grant everything that the old and the new role grant. Callers can change their own role only to one that grants less. The last administrator cannot be demoted.',
    body: RoleChange,
    bodyExamples: { admin: { summary: 'Make an administrator', value: { role: 'admin' } } },
    answers: { 200: userAnswer },
    problems: [...changeProblems, 'self_change'],
  }),
  rename: contract('PUT /api/v1/admin/users/{userId}/display-name', 'users:rename', {
    ...common,
    id: 'renameUser',
    summary: 'Change the display name of a user',
    description:
      'Requires the header `If-Match`. `null` removes the name; the next token of a trusted issuer may then set one. The caller’s role must grant everything that the user’s role grants.',
    body: named('DisplayNameChange', { displayName: preferenceSchemas.displayName }),
    bodyExamples: { name: { summary: 'Set a name', value: { displayName: 'Ada Lovelace' } } },
    answers: { 200: userAnswer },
    problems: [...commonProblems, 'precondition_required', 'precondition_failed', 'permission_exceeds'],
  }),
  erase: contract('DELETE /api/v1/admin/users/{userId}', 'users:erase', {
    ...common,
    id: 'eraseUser',
    needs: administratorNeeds,
    summary: 'Delete a user',
    description:
      'Requires the header `If-Match`. The user is disabled and hidden from lists immediately, and deleted after `MUSTER_ERASE_AFTER_DAYS` (14 by default), or before the response with `immediately`. Until then the user can restore the account, and enabling it restores it too. All data of the user is deleted, including organizations without other members. Events of the audit log stay, without emails and IP addresses. The last administrator, the only owner of an organization with other members, and a user with an active subscription cannot be deleted. The caller’s role must grant everything that the user’s role grants.',
    body: named('UserErasure', { immediately: Type.Optional(Type.Boolean({ default: false })) }),
    isBodyOptional: true,
    bodyExamples: {
      later: { summary: 'After the grace period', value: {} },
      now: { summary: 'Immediately', value: { immediately: true } },
    },
    answers: { 202: erasureAnswer },
    problems: [...changeProblems, 'last_owner', 'subscription_active'],
  }),
  endSessions: contract('DELETE /api/v1/admin/users/{userId}/sessions', 'users:end_sessions', {
    ...common,
    id: 'endUserSessions',
    summary: 'End all sessions of a user',
    description:
      'Ends only sessions of the built-in issuer. The caller’s role must grant everything that the user’s role grants.',
    answers: {
      200: json('The number of ended sessions', named('EndedSessions', { ended: Type.Integer({ minimum: 0 }) }), {
        ended: 2,
      }),
    },
    problems: [...commonProblems, 'permission_exceeds'],
  }),
}

export const userRecoveryContract = contract('POST /api/v1/admin/users/{userId}/recovery', 'users:recover', {
  ...common,
  id: 'recoverUser',
  needs: administratorNeeds,
  summary: 'Create a recovery link',
  description:
    'Requires the header `If-Match`. The link lets its holder choose a new password once. If the service sends emails, it sends the link to the user’s verified email (202); the link is valid for 30 minutes. Otherwise the response contains the link (201), which is valid for a day: give it only to the user. If the user has a second factor, the link requires it too, unless `resetFactors` is true: that needs the permission `users:reset_factors` and removes all factors when the new password is set. Nothing changes until the link is used. The caller’s role must grant everything that the user’s role grants. Callers cannot create a link for themselves.',
  body: named('Recovery', { resetFactors: Type.Optional(Type.Boolean({ default: false })) }),
  bodyExamples: {
    password: { summary: 'The user forgot the password', value: {} },
    factors: { summary: 'The user also lost the second factors', value: { resetFactors: true } },
  },
  answers: {
    201: json(
      'The link, if the service sends no emails',
      named('RecoveryLink', { link: Type.String(), expiresAt: time() }),
      {
        link: 'https://muster.example.com/auth/link#token=mlk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&purpose=recovery',
        expiresAt: '2026-11-03T08:00:00.000Z',
      },
    ),
    202: json('The link was sent to the user', named('LinkMailed', {}), {}),
  },
  problems: [
    ...commonProblems,
    'precondition_required',
    'precondition_failed',
    'permission_exceeds',
    'self_recovery',
    'password_missing',
    'email_unproved',
  ],
})
