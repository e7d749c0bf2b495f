import Type, { type Static } from 'typebox'
import { contract, json, named, text, time } from '../platform/http/contract.ts'

export const UserSessions = named('UserSessions', {
  sessions: Type.Array(
    named('UserSession', {
      id: Type.String(),
      createdAt: time(),
      lastUsedAt: time('When the session was opened or last refreshed.'),
      expiresAt: time('When the session ends unless it is refreshed.'),
      amr: Type.Array(Type.String(), {
        description: 'How the user authenticated (RFC 8176). `operator`: an operator opened it.',
      }),
      address: Type.Optional(text('The IP address that opened the session.')),
      userAgent: Type.Optional(text('The user agent that opened the session.')),
    }),
  ),
})
export type UserSessions = Static<typeof UserSessions>

export const UserFactors = named('UserFactors', {
  factors: Type.Array(
    named('UserFactor', {
      id: text('The id of the factor.'),
      kind: Type.Enum(['totp', 'passkey'], { description: '`totp` is an authenticator app.' }),
      name: text('The name that the user gave.'),
      createdAt: time(),
      lastUsedAt: Type.Optional(time('Only for passkeys that have been used.')),
    }),
  ),
})
export type UserFactors = Static<typeof UserFactors>

const common = {
  tag: 'Administration',
  problems: ['user_unknown'],
} as const

export const userSignInContracts = {
  listSessions: contract('GET /api/v1/admin/users/{userId}/sessions', 'users:read', {
    ...common,
    id: 'listUserSessions',
    summary: 'List the open sessions of a user',
    description:
      'All open sessions at the built-in issuer (at most 100), the most recently used first. Sessions of other issuers are not listed. Tokens are never shown.',
    answers: {
      200: json('Open sessions', UserSessions, {
        sessions: [
          {
            id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
            createdAt: '2026-11-02T08:00:00Z',
            lastUsedAt: '2026-11-02T09:30:00Z',
            expiresAt: '2026-11-16T09:30:00Z',
            amr: ['pwd', 'otp', 'mfa'],
            address: '203.0.113.7',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
          },
        ],
      }),
    },
  }),
  listFactors: contract('GET /api/v1/admin/users/{userId}/factors', 'users:read', {
    ...common,
    id: 'listUserFactors',
    summary: 'List the second factors of a user',
    description:
      'All active factors, the oldest first, without their secrets. Factors at other issuers are not listed.',
    answers: {
      200: json('Active factors', UserFactors, {
        factors: [
          {
            id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
            kind: 'totp',
            name: 'Phone',
            createdAt: '2026-11-02T08:00:00Z',
          },
          {
            id: '0197b2a4-6d02-7f00-8a51-2f1a5e0c9d77',
            kind: 'passkey',
            name: 'Laptop',
            createdAt: '2026-11-03T10:15:00Z',
            lastUsedAt: '2026-11-20T07:45:12Z',
          },
        ],
      }),
    },
  }),
}
