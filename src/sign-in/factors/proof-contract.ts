import Type, { type Static } from 'typebox'
import { named } from '../../platform/http/contract.ts'

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

export const requestOptionsExample = {
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

/** Present in responses that ask for a second factor, if one of the factors is a passkey. */
export const passkeyMember = Type.Optional(
  named('PasskeyPrompt', { options: RequestOptions }, { description: 'Present if one of the factors is a passkey.' }),
)
export type PasskeyPrompt = { readonly options: RequestOptions }

export const factorType = Type.Enum(['totp', 'passkey'], { description: '`totp`: an authenticator app.' })

export const FactorName = named('FactorName', { id: Type.String(), type: factorType, friendlyName: Type.String() })
export type FactorName = Static<typeof FactorName>

export const Challenge = named('Challenge', {
  mfa_required: Type.Literal(true),
  challenge: Type.String({ description: 'For the second step. It grants no access.' }),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  factors: Type.Array(FactorName, { description: 'Any of these completes the sign-in; so does a recovery code.' }),
  passkey: passkeyMember,
})
export type Challenge = Static<typeof Challenge>
