import Type, { type Static } from 'typebox'
import { named } from '../../platform/http/contract.ts'
import { passkeyMember } from './passkey-credentials.ts'

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

/** The kinds of second factors. */
export const factorType = Type.Enum(['totp', 'passkey'], { description: '`totp`: codes of an authenticator app.' })

export const FactorName = named('FactorName', { id: Type.String(), type: factorType, friendlyName: Type.String() })
export type FactorName = Static<typeof FactorName>

export const Challenge = named('Challenge', {
  mfa_required: Type.Literal(true),
  challenge: Type.String({ description: 'For the second step. It grants no access.' }),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  factors: Type.Array(FactorName, { description: 'One of these completes the sign-in; so does a recovery code.' }),
  passkey: passkeyMember,
})
export type Challenge = Static<typeof Challenge>

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
