import type { Static } from 'typebox'
import Type from 'typebox'
import { contract, json, named, object, ownAccountNeeds } from '../../platform/http/contract.ts'
import {
  attemptProblems,
  deviceToken,
  inSession,
  issuerTag,
  sessionProblems,
  signedInAnswer,
  withoutSession,
} from '../sessions/contract.ts'

const base64url = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength, description })

export const PasskeyDescriptor = named('PasskeyDescriptor', {
  type: Type.Literal('public-key'),
  id: Type.String(),
  transports: Type.Array(Type.String()),
})
export type PasskeyDescriptor = Static<typeof PasskeyDescriptor>

export const RequestOptions = named(
  'PasskeyRequestOptions',
  {
    rpId: Type.String(),
    challenge: Type.String(),
    timeout: Type.Integer({ description: 'Milliseconds.' }),
    userVerification: Type.Literal('required'),
    allowCredentials: Type.Optional(
      Type.Array(PasskeyDescriptor, { description: 'The passkeys of the account. Absent if no account is named.' }),
    ),
  },
  { description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`.' },
)
export type RequestOptions = Static<typeof RequestOptions>

const requestOptionsExample = {
  rpId: 'muster.example.com',
  challenge: 'cGg0bWpkM3FhMnZ0N2s5eHl6MXcycjVzNmI4bjBsNGM',
  timeout: 300_000,
  userVerification: 'required',
} as const

/** The credential of a new passkey. Browsers may add members. */
export const NewCredential = Type.Object(
  {
    id: base64url(1_364, 'Base64url.'),
    rawId: base64url(1_364, 'Equals `id`.'),
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: base64url(4_096, 'The challenge and the origin, as JSON.'),
      attestationObject: base64url(10_240, 'The new public key.'),
      transports: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  {
    $id: 'NewPasskeyCredential',
    description: 'The result of `navigator.credentials.create`, converted with `toJSON`.',
  },
)
export type NewCredential = Static<typeof NewCredential>

/** The assertion of an existing passkey. Browsers may add members. */
export const AssertionCredential = Type.Object(
  {
    id: base64url(1_364, 'Base64url.'),
    rawId: base64url(1_364, 'Equals `id`.'),
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: base64url(4_096, 'The challenge and the origin, as JSON.'),
      authenticatorData: base64url(2_048, 'The data that the authenticator signed.'),
      signature: base64url(2_048, 'The signature of `authenticatorData` and `clientDataJSON`.'),
      userHandle: Type.Optional(base64url(86, 'The `user.id` of the options that the passkey was created with.')),
    }),
  },
  { $id: 'PasskeyCredential', description: 'The result of `navigator.credentials.get`, converted with `toJSON`.' },
)
export type AssertionCredential = Static<typeof AssertionCredential>

export const assertionExample = {
  id: 'hq3Yv4hKq0yJ6uQ2t3mK4w',
  rawId: 'hq3Yv4hKq0yJ6uQ2t3mK4w',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDx',
    userHandle: '8Xc1u3t0nVQ2m8yZ1h0m2cXkQ6o1v7pQfGm2bTz5w3s',
  },
} as const

export const CreationOptions = named(
  'PasskeyCreationOptions',
  {
    rp: object({ id: Type.String(), name: Type.String() }),
    user: object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'Milliseconds.' }),
    excludeCredentials: Type.Array(PasskeyDescriptor),
    authenticatorSelection: object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
  },
  { description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`.' },
)
export type CreationOptions = Static<typeof CreationOptions>

const requestOptionsAnswer = json('The options for the browser', named('PasskeyRequest', { options: RequestOptions }), {
  options: requestOptionsExample,
})

export const passkeyContracts = {
  passkeySignInOptions: contract('POST /auth/sign-in/passkey/options', 'public', {
    ...withoutSession,
    id: 'passkeySignInOptions',
    summary: 'Start a passkey sign-in',
    description:
      'The response names no account: the authenticator finds its passkeys for this service. The challenge is valid for five minutes and one sign-in.',
    body: named('PasskeySignInStart', {}),
    bodyExamples: { empty: { summary: 'Nothing', value: {} } },
    answers: { 200: requestOptionsAnswer },
    problems: ['passkeys_unavailable', ...attemptProblems],
  }),
  passkeySignIn: contract('POST /auth/sign-in/passkey', 'public', {
    ...withoutSession,
    id: 'passkeySignIn',
    summary: 'Sign in with a passkey',
    description:
      'Opens a session with two factors: the passkey, and the user verification by its authenticator. The response is the same for an unknown passkey, a wrong signature and a disabled account. If the account is scheduled for deletion, a correct passkey gets 403 `account_erasing` with a challenge that can restore the account.',
    body: named('PasskeySignIn', { credential: AssertionCredential, device_token: deviceToken }),
    bodyExamples: { passkey: { summary: 'A passkey', value: { credential: assertionExample } } },
    answers: { 200: signedInAnswer },
    problems: ['passkey_refused', 'account_erasing', 'passkeys_unavailable', ...attemptProblems],
  }),
  passkeyStepUpOptions: contract('POST /auth/step-up/passkey/options', 'caller', {
    ...inSession,
    id: 'passkeyStepUpOptions',
    summary: 'Start a passkey step-up',
    description:
      'Returns the options for `credential` in a step-up or in the removal of a factor. Valid for five minutes, in the same session.',
    body: named('PasskeyStepUpStart', {}),
    bodyExamples: { empty: { summary: 'Nothing', value: {} } },
    answers: { 200: requestOptionsAnswer },
    problems: ['factor_missing', 'passkeys_unavailable', ...sessionProblems],
  }),
  passkeyOptions: contract('POST /auth/passkeys/options', 'caller', {
    ...inSession,
    id: 'passkeyOptions',
    summary: 'Start adding a passkey',
    description:
      'Returns the options for the browser. Their challenge is valid for five minutes, for one passkey of this session.',
    needs: ownAccountNeeds,
    body: named('PasskeyStart', {}),
    bodyExamples: { empty: { summary: 'Nothing', value: {} } },
    answers: {
      200: json('The options for the browser', named('PasskeyCreation', { options: CreationOptions }), {
        options: {
          rp: { id: 'muster.example.com', name: 'muster.example.com' },
          user: {
            id: '8Xc1u3t0nVQ2m8yZ1h0m2cXkQ6o1v7pQfGm2bTz5w3s',
            name: 'ada@example.com',
            displayName: 'ada@example.com',
          },
          challenge: 'cGg0bWpkM3FhMnZ0N2s5eHl6MXcycjVzNmI4bjBsNGM',
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          timeout: 300_000,
          excludeCredentials: [],
          authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
          attestation: 'none',
        },
      }),
    },
    problems: ['password_missing', 'passkeys_unavailable', ...sessionProblems],
  }),
  relatedOrigins: contract('GET /.well-known/webauthn', 'public', {
    id: 'getRelatedOrigins',
    tag: issuerTag,
    summary: 'Get the origins that share the passkeys',
    description:
      'Related origins (WebAuthn Level 3 §5.11). Exists only if `MUSTER_WEBAUTHN_ORIGINS` has origins of other domains.',
    answers: {
      200: json('The origins', named('RelatedOrigins', { origins: Type.Array(Type.String()) }), {
        origins: ['https://app.example.com', 'https://app.example.org'],
      }),
    },
  }),
}
