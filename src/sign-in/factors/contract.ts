import type { Static } from 'typebox'
import Type from 'typebox'
import { contract, flag, json, type Needs, named, ownAccountNeeds, text, time } from '../../platform/http/contract.ts'
import { displayedNamePattern, uuidRules } from '../../platform/http/formats.ts'
import { currentPassword, inSession, sessionProblems } from '../sessions/contract.ts'
import { AssertionCredential, assertionExample, NewCredential, RequestOptions } from './passkey-contract.ts'

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
  challenge: text('For the second step. It grants no access.'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  factors: Type.Array(FactorName, { description: 'Any of these completes the sign-in; so does a recovery code.' }),
  passkey: passkeyMember,
})
export type Challenge = Static<typeof Challenge>

/** Displayed during sign-in. */
const friendlyName = { minLength: 1, maxLength: 100, pattern: displayedNamePattern } as const

const endOtherSessions = Type.Optional(
  Type.Boolean({
    default: true,
    description: 'Whether to end every other session of the account. Sessions without a second factor always end.',
  }),
)

/** Of an authenticator app. */
const code = Type.String({ pattern: '^[0-9]{6}$', minLength: 6, maxLength: 6 })

/** Either `factorId` and `code`, or `recoveryCode`. */
export const codeProof = {
  factorId: Type.Optional(Type.String({ ...uuidRules, description: 'Required with `code`.' })),
  code: Type.Optional(code),
  recoveryCode: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Instead of `factorId` and `code`.' }),
  ),
} as const

/** A code with its factor, a recovery code, or a passkey assertion. */
export const secondProof = { ...codeProof, credential: Type.Optional(AssertionCredential) } as const

const factorId = '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55'

/**
 * The body is proof enough if the account has no factor: it contains the password, or the first code of a factor that
 * was enrolled with the password.
 */
const needs = { ...ownAccountNeeds, proofInBody: true } as const satisfies Needs

export const Factor = named('Factor', {
  id: Type.String(),
  type: factorType,
  friendlyName: Type.String(),
  createdAt: time(),
})
export type Factor = Static<typeof Factor>
const factorExample = { id: factorId, type: 'totp', friendlyName: 'Phone', createdAt: '2026-11-02T08:00:00Z' } as const

export const Factors = named('Factors', {
  factors: Type.Array(Factor),
  recoveryCodesLeft: Type.Integer(),
  recoveryCodesOutdated: flag(
    'Whether some codes are from an earlier release and have 79 random bits instead of 128. They still work, but should be replaced.',
  ),
})
export type Factors = Static<typeof Factors>

export const Enrolment = named('Enrolment', {
  id: Type.String(),
  friendlyName: Type.String(),
  secret: text('For an authenticator app, in base32. Returned only once.'),
  uri: text('The same secret as an `otpauth://` URI, for a QR code.'),
})
export type Enrolment = Static<typeof Enrolment>

const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each code signs in once. The codes are returned only once.',
})
const recoveryCodesExample = ['h4kd9-2mfxq-7rp3w-tm8np-4vcek2', 'yd7gh-zq3nb-x5vka-8wpu2-rj6tme']

export const ConfirmedFactor = named('ConfirmedFactor', {
  id: Type.String(),
  type: factorType,
  friendlyName: Type.String(),
  recoveryCodes: Type.Optional(recoveryCodes),
})
export type ConfirmedFactor = Static<typeof ConfirmedFactor>

const confirmedFactorExample = {
  id: factorId,
  type: 'totp',
  friendlyName: 'Phone',
  recoveryCodes: recoveryCodesExample,
} as const

export const factorContracts = {
  listFactors: contract('GET /auth/factors', 'caller', {
    ...inSession,
    id: 'listFactors',
    summary: 'List the caller’s factors',
    description: 'The verified factors, including passkeys, the oldest first.',
    actAs: true,
    answers: {
      200: json('The factors, and the number of unused recovery codes', Factors, {
        factors: [factorExample],
        recoveryCodesLeft: 9,
        recoveryCodesOutdated: false,
      }),
    },
  }),
  enrolFactor: contract('POST /auth/factors', 'caller', {
    ...inSession,
    id: 'enrolFactor',
    summary: 'Set up a factor',
    description:
      'Returns the secret for an authenticator app. The factor takes effect when its first code is verified. An account has at most 10 factors, including passkeys, each with a different name.',
    needs,
    body: named('NewFactor', {
      friendlyName: Type.String(friendlyName),
      password: currentPassword,
    }),
    bodyExamples: {
      phone: { summary: 'A phone', value: { friendlyName: 'Phone', password: 'correct horse battery' } },
    },
    answers: {
      201: json('The factor, which waits for its first code', Enrolment, {
        id: factorId,
        friendlyName: 'Phone',
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/muster.example.com:ada%40example.com?issuer=muster.example.com&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      }),
    },
    problems: ['password_wrong', 'sign_in_wait', 'factor_name_taken', 'factor_limit_reached', ...sessionProblems],
  }),
  verifyFactor: contract('POST /auth/factors/{factorId}/verify', 'caller', {
    ...inSession,
    id: 'verifyFactor',
    summary: 'Verify a factor with its first code',
    description:
      'From then on, sign-in needs a second step. The first factor of an account comes with ten recovery codes. The code counts for the current session; the other sessions of the account end.',
    needs,
    body: named('FirstCode', {
      code,
      endOtherSessions,
    }),
    bodyExamples: { code: { summary: 'A code', value: { code: '755224' } } },
    answers: { 200: json('The factor is in effect', ConfirmedFactor, confirmedFactorExample) },
    problems: ['factor_unknown', 'factor_verified', 'code_refused', 'sign_in_wait', ...sessionProblems],
  }),
  renameFactor: contract('PATCH /auth/factors/{factorId}', 'caller', {
    ...inSession,
    id: 'renameFactor',
    summary: 'Rename a factor',
    description: 'Sign-in displays the name after a correct password.',
    body: named('FactorChange', { friendlyName: Type.String(friendlyName) }),
    bodyExamples: { name: { summary: 'A new name', value: { friendlyName: 'Old phone' } } },
    answers: { 200: json('The factor as it is now', Factor, factorExample) },
    problems: ['factor_unknown', 'factor_name_taken', ...sessionProblems],
  }),
  removeFactor: contract('POST /auth/factors/{factorId}/remove', 'caller', {
    ...inSession,
    id: 'removeFactor',
    summary: 'Remove a factor',
    description:
      'Needs the password together with a code (of this factor unless `factorId` names another), a recovery code or a passkey. Alternatively needs a session that used a second factor within the last 10 minutes. The other sessions of the account end. Removing the last factor deletes the recovery codes. The operation uses POST because the body of a DELETE has no meaning (RFC 9110 §9.3.5).',
    body: named('FactorRemoval', {
      password: Type.Optional(currentPassword),
      ...secondProof,
      factorId: Type.Optional(
        Type.String({ ...uuidRules, description: 'The factor of `code`, if it is not the one to remove.' }),
      ),
      endOtherSessions,
    }),
    bodyExamples: {
      code: { summary: 'With a code', value: { password: 'correct horse battery', code: '755224' } },
      steppedUp: { summary: 'After a step-up', value: {} },
    },
    answers: { 204: { description: 'The factor is removed' } },
    problems: [
      'password_wrong',
      'code_refused',
      'factor_required',
      'step_up_required',
      'sign_in_wait',
      'factor_unknown',
      ...sessionProblems,
    ],
  }),
  renewRecoveryCodes: contract('POST /auth/recovery-codes', 'caller', {
    ...inSession,
    id: 'renewRecoveryCodes',
    summary: 'Replace the recovery codes',
    description: 'Creates ten new codes and deletes the old ones. Needs the current password and a verified factor.',
    needs,
    body: named('PasswordAgain', { password: currentPassword }),
    bodyExamples: { password: { summary: 'The current password', value: { password: 'correct horse battery' } } },
    answers: {
      201: json('The new codes, returned only once', named('RecoveryCodes', { recoveryCodes }), {
        recoveryCodes: recoveryCodesExample,
      }),
    },
    problems: ['password_wrong', 'sign_in_wait', 'factor_missing', ...sessionProblems],
  }),
  addPasskey: contract('POST /auth/passkeys', 'caller', {
    ...inSession,
    id: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Takes the credential that the browser created from the options. The passkey is a second factor and also signs in without a password. The first factor of an account comes with ten recovery codes. The passkey counts for the current session; the other sessions of the account end. Rename and remove it like any factor.',
    needs: ownAccountNeeds,
    body: named('NewPasskey', { friendlyName: Type.String(friendlyName), credential: NewCredential, endOtherSessions }),
    bodyExamples: {
      laptop: {
        summary: 'A laptop',
        value: {
          friendlyName: 'Laptop',
          credential: {
            id: assertionExample.id,
            rawId: assertionExample.rawId,
            type: 'public-key',
            response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
          },
        },
      },
    },
    answers: {
      201: json('The passkey is in effect', ConfirmedFactor, {
        ...confirmedFactorExample,
        type: 'passkey',
        friendlyName: 'Laptop',
      }),
    },
    problems: [
      'passkey_invalid',
      'passkeys_unavailable',
      'factor_name_taken',
      'factor_limit_reached',
      ...sessionProblems,
    ],
  }),
}
