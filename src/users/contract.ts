import Type, { type Static } from 'typebox'
import { erasureAnswer } from '../identity/erasure-contract.ts'
import { administratorNeeds, ids, json, named, type OperationContract, object } from '../platform/http/contract.ts'
import { emailRules } from '../platform/http/formats.ts'

export const UserRecord = named('UserRecord', {
  id: Type.String(),
  email: Type.Optional(Type.String(emailRules)),
  emailProved: Type.Boolean({
    description: 'Whether it is proved that the address is that of the user. Otherwise anyone may have typed it.',
  }),
  role: Type.String(),
  status: Type.Enum(['active', 'disabled', 'erasing']),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  disabledAt: Type.Optional(Type.String({ description: 'RFC 3339.' })),
  erasesAt: Type.Optional(
    Type.String({ description: 'Of status `erasing`: until when the account can be kept. RFC 3339.' }),
  ),
  orgs: Type.Array(
    object({ id: Type.String(), name: Type.String(), role: Type.String({ description: 'In this organisation.' }) }),
  ),
  identities: Type.Array(object({ issuer: Type.String(), subject: Type.String() }), {
    description: 'The account at the issuers whose tokens are accepted.',
  }),
  signInWaits: Type.Optional(
    Type.Array(
      object({
        scope: Type.Enum(['unknown_devices', 'known_network', 'device', 'session', 'second_step'], {
          description: 'Whose attempts to sign in wait.',
        }),
        until: Type.Optional(
          Type.String({
            description: 'RFC 3339. Absent where time does not help: codes of authenticator apps are refused.',
          }),
        ),
      }),
      {
        description:
          'Of the answer to a read, where wrong passwords or codes have made some wait. It is no part of the state that `ETag` names.',
      },
    ),
  ),
})
export type UserRecord = Static<typeof UserRecord>

export const RoleChange = named('RoleChange', { role: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,62}$' }) })

const params = ids('userId')

const etag = {
  ETag: {
    description: 'The tag of this state of the user. Send it as `If-Match` with a change.',
    schema: Type.String(),
  },
}

const example: UserRecord = {
  id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
  email: 'ada@example.com',
  emailProved: true,
  role: 'admin',
  status: 'active',
  createdAt: '2026-01-31T09:26:53.589793Z',
  orgs: [{ id: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f', name: 'Analytical Engines', role: 'owner' }],
  identities: [{ issuer: 'urn:muster:issuer', subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' }],
}

const userAnswer = { ...json('The user in the current state', UserRecord, example), headers: etag } as const

const commonProblems = ['user_unknown'] as const
/** A change applies to the state that the caller has read, or fails (RFC 9110 §13.1.1, RFC 6585 §3). */
const changeProblems = [
  ...commonProblems,
  'precondition_required',
  'precondition_failed',
  'last_administrator',
  'permission_exceeds',
] as const

const common = { tag: 'Administration', params } as const

export const adminUserContract = {
  ...common,
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/admin/users/{userId}',
  permission: 'users:read',
  summary: 'Read one user',
  description:
    'The user with status, organisations and identities, and the waits after wrong passwords and codes that are in force.',
  answers: { 200: userAnswer },
  problems: commonProblems,
} as const satisfies OperationContract

export const adminUserDisableContract = {
  ...common,
  id: 'disableUser',
  method: 'POST',
  path: '/api/v1/admin/users/{userId}/disable',
  permission: 'users:disable',
  summary: 'Disable a user',
  description:
    'Needs the header `If-Match`. Ends their sessions; from now on none of their tokens is accepted. The last administrator cannot be disabled, nor a user whose role grants more than that of the caller.',
  answers: { 200: userAnswer },
  problems: changeProblems,
} as const satisfies OperationContract

export const adminUserEnableContract = {
  ...common,
  id: 'enableUser',
  method: 'POST',
  path: '/api/v1/admin/users/{userId}/enable',
  permission: 'users:enable',
  summary: 'Enable a user again',
  description:
    'Needs the header `If-Match`. Sessions that have ended stay ended. A user who is to be erased is kept by it. The role of the user grants nothing that that of the caller does not.',
  answers: { 200: userAnswer },
  problems: changeProblems,
} as const satisfies OperationContract

export const adminUserRoleContract = {
  ...common,
  id: 'changeUserRole',
  method: 'PUT',
  path: '/api/v1/admin/users/{userId}/role',
  permission: 'users:change_role',
  needs: administratorNeeds,
  summary: 'Change the role of a user',
  description:
    'Needs the header `If-Match`. The role of the caller grants everything that the old and the new role grant. Callers can change their own role only to one that grants less. The last administrator cannot be demoted.',
  body: RoleChange,
  bodyExamples: { admin: { summary: 'Make an administrator', value: { role: 'admin' } } },
  answers: { 200: userAnswer },
  problems: [...changeProblems, 'self_change'],
} as const satisfies OperationContract

export const adminUserEraseContract = {
  ...common,
  id: 'eraseUser',
  method: 'DELETE',
  path: '/api/v1/admin/users/{userId}',
  permission: 'users:erase',
  needs: administratorNeeds,
  summary: 'Erase a user',
  description:
    'Needs the header `If-Match`. The user is disabled and out of the lists at once, and erased after `MUSTER_ERASE_AFTER_DAYS`, 14 by default, or with `immediately` before the answer. Until then the user can keep the account, and enabling it keeps it too. Everything that is the user’s own goes, organisations without other members among it; events of the audit trail stay without e-mail and network addresses. Not for the last administrator, for who alone manages an organisation with other members, and while a subscription of the user has not ended. The role of the user grants nothing that that of the caller does not.',
  body: named('UserErasure', { immediately: Type.Optional(Type.Boolean({ default: false })) }),
  isBodyOptional: true,
  bodyExamples: {
    later: { summary: 'After the time in which the user can be kept', value: {} },
    now: { summary: 'Before the answer', value: { immediately: true } },
  },
  answers: { 202: erasureAnswer },
  problems: [...changeProblems, 'last_owner', 'subscription_active'],
} as const satisfies OperationContract

export const adminUserSessionsContract = {
  ...common,
  id: 'endUserSessions',
  method: 'DELETE',
  path: '/api/v1/admin/users/{userId}/sessions',
  permission: 'users:end_sessions',
  summary: 'End every session of a user',
  description:
    'Ends the sessions of the built-in issuer; other issuers end their own sessions. The role of the user grants nothing that that of the caller does not.',
  answers: {
    200: json('How many ended', named('EndedSessions', { ended: Type.Integer({ minimum: 0 }) }), { ended: 2 }),
  },
  problems: [...commonProblems, 'permission_exceeds'],
} as const satisfies OperationContract

export const adminUserRecoveryContract = {
  ...common,
  id: 'recoverUser',
  method: 'POST',
  path: '/api/v1/admin/users/{userId}/recovery',
  permission: 'users:recover',
  needs: administratorNeeds,
  summary: 'Give a user a recovery link',
  description:
    'Needs the header `If-Match`. The link lets its holder choose a new password, once. Where the service sends mail, it is mailed to the user, is valid for 30 minutes, and is shown to no one else (202); the address must be proved. Otherwise it is valid for a day and is shown only in this answer (201): give it to the user, and to no one else. Where the account has a second factor, the link asks for it too, unless `resetFactors` is true; that needs the permission `users:reset_factors` and removes every factor together with the new password. Until the link is used nothing changes. The role of the user grants nothing that that of the caller does not. Callers make no link for themselves.',
  body: named('Recovery', { resetFactors: Type.Optional(Type.Boolean({ default: false })) }),
  bodyExamples: {
    password: { summary: 'The password is forgotten', value: {} },
    factors: { summary: 'The second factors are lost too', value: { resetFactors: true } },
  },
  answers: {
    201: json(
      'The link; the service sends no mail',
      named('RecoveryLink', { link: Type.String(), expiresAt: Type.String({ description: 'RFC 3339.' }) }),
      {
        link: 'https://muster.example.com/auth/link#token=mlk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&purpose=recovery',
        expiresAt: '2026-11-03T08:00:00.000Z',
      },
    ),
    202: json('The link is mailed to the user', named('LinkMailed', {}), {}),
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
} as const satisfies OperationContract

export const adminUserContracts: readonly OperationContract[] = [
  adminUserContract,
  adminUserDisableContract,
  adminUserEnableContract,
  adminUserRoleContract,
  adminUserEraseContract,
  adminUserSessionsContract,
  adminUserRecoveryContract,
]
