import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract, ownAccountNeeds } from '../../platform/http/contract.ts'
import { newPasswordRules, passwordRules } from './password-fields.ts'

/** The problems of every operation that needs a session of this issuer. */
export const sessionProblems = ['session_foreign'] as const

export const Session = named('Session', {
  id: Type.String(),
  isCurrent: Type.Boolean({ description: 'Whether the call comes from this session.' }),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  lastUsedAt: Type.String({ description: 'RFC 3339. When it was opened or last refreshed.' }),
  expiresAt: Type.String({ description: 'RFC 3339. Refreshing does not extend it.' }),
  amr: Type.Array(Type.String(), { description: 'How the user authenticated (RFC 8176).' }),
  address: Type.Optional(Type.String({ description: 'The address that it was opened from.' })),
  userAgent: Type.Optional(Type.String({ description: 'The user agent of the client that opened it.' })),
})
export type Session = Static<typeof Session>

export const listSessionsContract = {
  id: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  tag: 'Built-in issuer',
  summary: 'List the caller’s open sessions',
  description:
    'All of them, the most recently used first. An account has at most 100; a further one ends the least recently used.',
  permission: 'caller',
  actAs: true,
  answers: {
    200: json('Open sessions', named('Sessions', { sessions: Type.Array(Session) }), {
      sessions: [
        {
          id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
          isCurrent: true,
          createdAt: '2026-11-02T08:00:00Z',
          lastUsedAt: '2026-11-02T09:30:00Z',
          expiresAt: '2026-12-02T08:00:00Z',
          amr: ['pwd', 'otp', 'mfa'],
          address: '203.0.113.7',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
        },
      ],
    }),
  },
  problems: sessionProblems,
} as const satisfies OperationContract

export const endSessionContract = {
  id: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/{sessionId}',
  tag: 'Built-in issuer',
  summary: 'End one of the caller’s sessions',
  description: 'Its tokens are refused from the next call on.',
  permission: 'caller',
  params: ids('sessionId'),
  answers: { 204: { description: 'The session has ended' } },
  problems: ['session_unknown', ...sessionProblems],
} as const satisfies OperationContract

export const signOutContract = {
  id: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  tag: 'Built-in issuer',
  summary: 'Sign out',
  description: 'Ends the current session. Its tokens are refused from the next call on.',
  permission: 'caller',
  withInitialPassword: true,
  answers: { 204: { description: 'The session has ended' } },
  problems: sessionProblems,
} as const satisfies OperationContract

export const signOutEverywhereContract = {
  id: 'signOutEverywhere',
  method: 'POST',
  path: '/auth/sign-out-everywhere',
  tag: 'Built-in issuer',
  summary: 'Sign out everywhere',
  description: 'Ends every session of the account, the current one included, and forgets its devices.',
  permission: 'caller',
  withInitialPassword: true,
  answers: { 204: { description: 'The sessions have ended' } },
  problems: sessionProblems,
} as const satisfies OperationContract

export const changePasswordContract = {
  id: 'changePassword',
  method: 'PUT',
  path: '/auth/password',
  tag: 'Built-in issuer',
  summary: 'Change the caller’s password',
  description: 'Needs the current password. Every other session of the account ends.',
  permission: 'caller',
  needs: { ...ownAccountNeeds, proofInBody: true },
  withInitialPassword: true,
  body: named('PasswordChange', {
    currentPassword: Type.String(passwordRules),
    newPassword: Type.String(newPasswordRules),
  }),
  bodyExamples: {
    change: {
      summary: 'Both passwords',
      value: { currentPassword: 'correct horse battery', newPassword: 'seventeen small turtles' },
    },
  },
  answers: { 204: { description: 'The password is changed' } },
  problems: ['password_wrong', 'sign_in_wait', ...sessionProblems],
} as const satisfies OperationContract
