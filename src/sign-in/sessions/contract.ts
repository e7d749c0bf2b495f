import Type, { type Static } from 'typebox'
import { contract, flag, json, jsonExamples, named, text, time } from '../../platform/http/contract.ts'
import { uuidRules } from '../../platform/http/formats.ts'

/** Lowest value of `MUSTER_PASSWORD_LENGTH_MIN`. */
const passwordLengthMin = 8
/** Longest password, in characters. It bounds the work of hashing. */
export const passwordLengthMax = 1_024

/** An existing password, which need not follow the rules for new ones. */
export const passwordRules = { minLength: 1, maxLength: passwordLengthMax } as const

export const currentPassword = Type.String({ ...passwordRules, description: 'The current password.' })

export const newPasswordRules = {
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description:
    'At least 15 characters of any kind (`MUSTER_PASSWORD_LENGTH_MIN`), or 8 if the role of the account requires a second factor, and at least 5 different ones. Rejects common and breached passwords, and words from the email, the service and the user’s organizations, even with digits and symbols around them.',
} as const

/** Problems of all operations that need a session of the built-in issuer. */
export const sessionProblems = ['session_foreign'] as const

/** Problems of all operations that take a password or a code. */
export const attemptProblems = ['rate_limited', 'database_unavailable', 'read_only'] as const

export const issuerTag = 'Built-in issuer'

/** An operation in the caller's session. */
export const inSession = { tag: issuerTag, problems: sessionProblems } as const

/** An operation without a session that takes a password, a code or a link. */
export const withoutSession = { tag: issuerTag, problems: attemptProblems } as const

export const opaqueTokenRules = { minLength: 1, maxLength: 256 } as const

export const deviceToken = Type.Optional(
  Type.String({
    ...opaqueTokenRules,
    description: 'From an earlier sign-in. It only proves that the device is known. An invalid token is ignored.',
  }),
)

export const Session = named('Session', {
  id: Type.String(),
  isCurrent: flag('Whether this is the session of the request.'),
  createdAt: time(),
  lastUsedAt: time('When the session was opened or last refreshed.'),
  expiresAt: time('Refreshing does not extend it.'),
  amr: Type.Array(Type.String(), { description: 'How the user authenticated (RFC 8176).' }),
  address: Type.Optional(text('The IP address that opened the session.')),
  userAgent: Type.Optional(text('The user agent of the client that opened the session.')),
})
export type Session = Static<typeof Session>

export const Device = named('Device', {
  id: Type.String(),
  label: Type.Optional(text('The user agent of its last sign-in.')),
  createdAt: time(),
  lastUsedAt: time('When it last signed in.'),
  isCurrent: flag('Whether the session of the request was opened on it.'),
})
export type Device = Static<typeof Device>

/** The shape of RFC 6749 §5.1, which OAuth clients know. */
const accessTokenMembers = {
  access_token: text('RFC 9068. Send it as `Authorization: Bearer …`.'),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
}

export const AccessToken = named('AccessToken', accessTokenMembers)
export type AccessToken = Static<typeof AccessToken>

export const Tokens = named('Tokens', {
  ...accessTokenMembers,
  refresh_token: text(
    'Works once: exchanging it returns the next one. Sent again within a minute, it returns the same next token.',
  ),
})
export type Tokens = Static<typeof Tokens>

/** The response to a completed sign-in. */
export const SignedIn = named('SignedIn', {
  ...accessTokenMembers,
  refresh_token: Tokens.properties.refresh_token,
  device_token: text(
    'Send it with the next sign-in to mark the device as known: wrong passwords sent from elsewhere then never block it. Works for 180 days after its last use.',
  ),
  password_change_required: Type.Optional(
    Type.Literal(true, {
      description:
        'The password was generated. Until `PUT /auth/password` changes it, the session can only change the password or sign out.',
    }),
  ),
})
export type SignedIn = Static<typeof SignedIn>

const tokensExample = {
  summary: 'Tokens of a session',
  value: {
    access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…',
    token_type: 'Bearer',
    expires_in: 900,
    refresh_token: 'mrt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  },
} as const

export const tokensAnswer = jsonExamples(
  'An open session: an access token for 15 minutes, and a refresh token',
  Tokens,
  { tokens: tokensExample },
)

const { refresh_token: _, ...accessTokenExample } = tokensExample.value

export const accessTokenAnswer = json('An access token of the same session', AccessToken, accessTokenExample)

export const signedInExample = {
  summary: 'Tokens of a session',
  value: { ...tokensExample.value, device_token: 'mdt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
} as const

export const signedInAnswer = jsonExamples(
  'An open session: an access token for 15 minutes, a refresh token and a device token',
  SignedIn,
  { tokens: signedInExample },
)

export const sessionContracts = {
  signOut: contract('POST /auth/sign-out', 'caller', {
    ...inSession,
    id: 'signOut',
    summary: 'Sign out',
    description: 'Ends the current session. Its tokens are rejected from the next request on.',
    withInitialPassword: true,
    answers: { 204: { description: 'The session has ended' } },
  }),
  signOutEverywhere: contract('POST /auth/sign-out-everywhere', 'caller', {
    ...inSession,
    id: 'signOutEverywhere',
    summary: 'Sign out everywhere',
    description: 'Ends every session of the account, including the current one, and forgets its devices.',
    withInitialPassword: true,
    answers: { 204: { description: 'The sessions have ended' } },
  }),
  listDevices: contract('GET /auth/devices', 'caller', {
    ...inSession,
    id: 'listDevices',
    summary: 'List the caller’s devices',
    description:
      'The known devices of the account, the most recently used first: at most 20, each for 180 days after its last sign-in. Wrong passwords sent from elsewhere never block a known device.',
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
  }),
  removeDevice: contract('DELETE /auth/devices/{deviceId}', 'caller', {
    ...inSession,
    id: 'removeDevice',
    summary: 'Forget one of the caller’s devices',
    description: 'Its token is ignored from the next sign-in on. Its sessions stay open.',
    answers: { 204: { description: 'The device is forgotten' } },
    problems: ['device_unknown', ...sessionProblems],
  }),
  listSessions: contract('GET /auth/sessions', 'caller', {
    ...inSession,
    id: 'listSessions',
    summary: 'List the caller’s open sessions',
    description:
      'All open sessions, the most recently used first. An account has at most 100; opening another one ends the least recently used.',
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
  }),
  endSession: contract('DELETE /auth/sessions/{sessionId}', 'caller', {
    ...inSession,
    id: 'endSession',
    summary: 'End one of the caller’s sessions',
    description: 'Its tokens are rejected from the next request on.',
    answers: { 204: { description: 'The session has ended' } },
    problems: ['session_unknown', ...sessionProblems],
  }),
  chooseOrganization: contract('PUT /auth/current-organization', 'caller', {
    ...inSession,
    id: 'chooseOrganization',
    summary: 'Choose the current organization',
    description:
      'The organization whose role and plan count in this session, from the next request with any of its tokens, unless a request names another one in `orgId`. `null` returns to the organization joined first. So does leaving the organization. Other sessions keep theirs. The response has an access token with the claim `org_id`, for other services. The refresh token does not change.',
    body: named('CurrentOrganization', {
      orgId: Type.Union([Type.String(uuidRules), Type.Null()], {
        description: 'An organization of the caller, or `null` for the one joined first.',
      }),
    }),
    bodyExamples: {
      chosen: { summary: 'Switch', value: { orgId: '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f' } },
      default: { summary: 'Back to the default', value: { orgId: null } },
    },
    answers: { 200: accessTokenAnswer },
    problems: ['organization_unknown', ...sessionProblems],
  }),
}
