import Type, { type Static } from 'typebox'
import type { OperationContract } from './operation.ts'
import { bodyProblems } from './problem.ts'
import { emailRules } from './text.ts'

/** Longest password taken, in characters: far above any real one, so that hashing stays bounded. */
export const passwordLengthMax = 1_024

export const SignIn = Type.Object(
  {
    email: Type.String(emailRules),
    password: Type.String({ minLength: 1, maxLength: passwordLengthMax }),
  },
  { additionalProperties: false, $id: 'SignIn' },
)
export type SignIn = Static<typeof SignIn>

export const AccessToken = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { additionalProperties: false, $id: 'AccessToken' },
)
export type AccessToken = Static<typeof AccessToken>

export const signInContract = {
  id: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  tag: 'Built-in issuer',
  summary: 'Sign in with a password',
  description:
    'Opens a session and answers an access token for it. An unknown address and a wrong password are answered alike.',
  access: 'public',
  body: SignIn,
  bodyExamples: {
    password: {
      summary: 'E-mail and password',
      value: { email: 'ada@example.com', password: 'correct horse battery' },
    },
  },
  answers: {
    200: {
      description: 'An access token (RFC 9068), good for 15 minutes',
      content: {
        'application/json': {
          schema: AccessToken,
          examples: {
            token: {
              summary: 'A token',
              value: { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 900 },
            },
          },
        },
      },
    },
  },
  problems: ['sign_in_refused', 'rate_limited', 'database_unavailable', ...bodyProblems],
} as const satisfies OperationContract

export const keySetContract = {
  id: 'getKeySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Built-in issuer',
  summary: 'The keys that verify this issuer’s tokens',
  description: 'A JSON Web Key Set (RFC 7517 §5).',
  access: 'public',
  answers: {
    200: {
      description: 'The key set',
      content: {
        'application/json': {
          schema: Type.Object(
            { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
            { additionalProperties: false, $id: 'KeySet' },
          ),
          examples: {
            one: {
              summary: 'One key',
              value: {
                keys: [
                  {
                    kty: 'OKP',
                    crv: 'Ed25519',
                    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
                    kid: 'k1',
                    use: 'sig',
                    alg: 'EdDSA',
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
  problems: ['database_unavailable'],
} as const satisfies OperationContract
