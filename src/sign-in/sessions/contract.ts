import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract } from '../../platform/http/contract.ts'

/** The problems of every operation that needs a session of this issuer. */
export const sessionProblems = ['session_foreign'] as const

/** The problems of every attempt to sign in. */
export const attemptProblems = ['rate_limited', 'database_unavailable', 'read_only'] as const

export const opaqueTokenRules = { minLength: 1, maxLength: 256 } as const

export const deviceToken = Type.Optional(
  Type.String({
    ...opaqueTokenRules,
    description: 'From an earlier sign-in. It proves that the device is known, and nothing else; any other is ignored.',
  }),
)

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

export const Device = named('Device', {
  id: Type.String(),
  label: Type.Optional(Type.String({ description: 'The user agent of its last sign-in.' })),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  lastUsedAt: Type.String({ description: 'RFC 3339. The time of the last sign-in with it.' }),
  isCurrent: Type.Boolean({ description: 'Whether the session of the call was opened with it.' }),
})
export type Device = Static<typeof Device>

export const listDevicesContract = {
  id: 'listDevices',
  method: 'GET',
  path: '/auth/devices',
  tag: 'Built-in issuer',
  summary: 'List the caller’s devices',
  description:
    'The devices that the account knows, the most recently used first: at most 20, each for 180 days after its last use. A known device is not held up by the wrong passwords of others.',
  permission: 'caller',
  actAs: true,
  answers: {
    200: json('Known devices', named('Devices', { devices: Type.Array(Device) }), {
      devices: [
        {
          id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
          label: 'Mozilla/5.0 (X11; Linux x86_64)',
          createdAt: '2026-11-02T08:00:00Z',
          lastUsedAt: '2026-11-02T09:30:00Z',
          isCurrent: true,
        },
      ],
    }),
  },
  problems: sessionProblems,
} as const satisfies OperationContract

export const removeDeviceContract = {
  id: 'removeDevice',
  method: 'DELETE',
  path: '/auth/devices/{deviceId}',
  tag: 'Built-in issuer',
  summary: 'Forget one of the caller’s devices',
  description: 'Its token counts for nothing from the next sign-in on. Its sessions stay open.',
  permission: 'caller',
  params: ids('deviceId'),
  answers: { 204: { description: 'The device is forgotten' } },
  problems: ['device_unknown', ...sessionProblems],
} as const satisfies OperationContract

/** The shape of RFC 6749 §5.1, which OAuth clients know. */
const accessTokenMembers = {
  access_token: Type.String({ description: 'RFC 9068. Send it as `Authorization: Bearer …`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
}

export const AccessToken = named('AccessToken', accessTokenMembers)
export type AccessToken = Static<typeof AccessToken>

export const Tokens = named('Tokens', {
  ...accessTokenMembers,
  refresh_token: Type.String({
    description: 'Works once: the exchange returns the next one. Sent again within a minute, it returns the same.',
  }),
})
export type Tokens = Static<typeof Tokens>

/** The answer of a completed sign-in. */
export const SignedIn = named('SignedIn', {
  ...accessTokenMembers,
  refresh_token: Tokens.properties.refresh_token,
  device_token: Type.String({
    description:
      'Send it with the next sign-in: the device is then known, and not held up by the wrong passwords of others. Works for 180 days after its last use.',
  }),
  password_change_required: Type.Optional(
    Type.Literal(true, {
      description:
        'The password was generated: until `PUT /auth/password` changed it, the session can only do that or sign out.',
    }),
  ),
})
export type SignedIn = Static<typeof SignedIn>

export const tokensExample = {
  summary: 'Tokens of a session',
  value: {
    access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…',
    token_type: 'Bearer',
    expires_in: 900,
    refresh_token: 'mrt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  },
} as const

export const tokensAnswer = {
  description: 'An open session: an access token for 15 minutes, and a refresh token',
  content: { 'application/json': { schema: Tokens, examples: { tokens: tokensExample } } },
} as const

export const signedInExample = {
  summary: 'Tokens of a session',
  value: { ...tokensExample.value, device_token: 'mdt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
} as const

export const signedInAnswer = {
  description: 'An open session: an access token for 15 minutes, a refresh token, and the token of the device',
  content: { 'application/json': { schema: SignedIn, examples: { tokens: signedInExample } } },
} as const
