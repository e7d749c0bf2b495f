import Type from 'typebox'
import { erasureAnswer, erasureProblems } from '../../identity/erasure-contract.ts'
import { preferenceNames, preferenceSchemas, preferencesExample } from '../../identity/preferences.ts'
import { json, named, type OperationContract, object, ownAccountNeeds } from '../../platform/http/contract.ts'
import { secondProof } from '../factors/contract.ts'
import { factorType } from '../factors/proof-contract.ts'
import { newPasswordRules, passwordRules } from '../passwords/contract.ts'
import {
  attemptProblems,
  deviceToken,
  opaqueTokenRules,
  sessionProblems,
  signedInAnswer,
} from '../sessions/contract.ts'

const unset = Object.fromEntries(preferenceNames.map((name) => [name, null]))

export const readOwnAccountContract = {
  id: 'readOwnAccount',
  method: 'GET',
  path: '/auth/account',
  tag: 'Built-in issuer',
  summary: 'Read the caller’s account',
  description: 'The address of the account, whether its owner has proved it, and the preferences of the owner.',
  permission: 'caller',
  actAs: true,
  answers: {
    200: {
      description: 'The account',
      content: {
        'application/json': {
          schema: named('OwnAccount', {
            email: Type.Union([Type.String(), Type.Null()]),
            emailProved: Type.Boolean({ description: 'Whether its owner has shown that mail to it arrives.' }),
            ...preferenceSchemas,
            emailChange: Type.Optional(
              named(
                'OpenEmailChange',
                {
                  newEmail: Type.String(),
                  expiresAt: Type.String({ description: 'RFC 3339. Of the links.' }),
                  awaits: Type.Array(Type.Enum(['new', 'present']), {
                    description: 'The addresses whose link is still to be used.',
                  }),
                },
                { description: 'A change of address that is not confirmed yet. `DELETE /auth/email` withdraws it.' },
              ),
            ),
          }),
          examples: {
            proved: {
              summary: 'A proved address',
              value: { email: 'ada@example.com', emailProved: true, ...unset },
            },
            changing: {
              summary: 'A change of address that both addresses have to confirm',
              value: {
                email: 'ada@example.com',
                emailProved: true,
                ...preferencesExample,
                emailChange: {
                  newEmail: 'ada@new.example.com',
                  expiresAt: '2026-11-02T10:00:00Z',
                  awaits: ['new', 'present'],
                },
              },
            },
          },
        },
      },
    },
  },
  problems: sessionProblems,
} as const satisfies OperationContract

export const changeOwnAccountContract = {
  id: 'changeOwnAccount',
  method: 'PATCH',
  path: '/auth/account',
  tag: 'Built-in issuer',
  summary: 'Change the preferences of the caller’s account',
  description: 'Preferences that are left out stay as they are.',
  permission: 'caller',
  body: named('AccountChange', { ...Type.Partial(Type.Object(preferenceSchemas)).properties }, { minProperties: 1 }),
  bodyExamples: { german: { summary: 'German', value: { language: 'de' } } },
  answers: {
    200: json('All preferences, as they are now', named('AccountPreferences', preferenceSchemas), preferencesExample),
  },
  problems: sessionProblems,
} as const satisfies OperationContract

export const eraseOwnAccountContract = {
  id: 'eraseOwnAccount',
  method: 'POST',
  path: '/auth/account/erase',
  tag: 'Built-in issuer',
  summary: 'Erase the caller’s account',
  description:
    'The account is erased after `MUSTER_ERASE_AFTER_DAYS`, 14 by default. At once every session ends, and devices and links; the account is disabled and out of the lists. A sign-in until then answers `account_erasing` with a challenge, with which `POST /auth/account/keep` keeps the account. Not for the last administrator, for who alone manages an organisation with other members, and while a subscription of the account has not ended.',
  permission: 'caller',
  needs: ownAccountNeeds,
  answers: { 202: erasureAnswer },
  problems: [...erasureProblems, ...sessionProblems],
} as const satisfies OperationContract

export const keepOwnAccountContract = {
  id: 'keepOwnAccount',
  method: 'POST',
  path: '/auth/account/keep',
  tag: 'Built-in issuer',
  summary: 'Keep an account that is to be erased',
  description:
    'Takes the challenge of the answer `account_erasing`; of an account with a second factor also a code with its factor, or a recovery code. The account is as before, and the answer is that of a sign-in. Nothing keeps an account whose time has come.',
  permission: 'public',
  body: named('Keep', { challenge: Type.String(opaqueTokenRules), device_token: deviceToken, ...secondProof }),
  bodyExamples: {
    challenge: {
      summary: 'The challenge',
      value: { challenge: 'mct_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    },
  },
  answers: { 200: signedInAnswer },
  problems: ['challenge_invalid', 'factor_required', 'code_refused', 'sign_in_wait', ...attemptProblems],
} as const satisfies OperationContract

const time = Type.String({ description: 'RFC 3339.' })
const list = (members: Parameters<typeof Type.Object>[0]) => Type.Array(object(members))
const text = Type.String()
const optionalText = Type.Optional(text)

const storedPreferences = Object.fromEntries(preferenceNames.map((name) => [name, optionalText]))

/** Everything about one account. Its members are part of the contract. */
export const AccountExport = named('AccountExport', {
  exportedAt: time,
  account: object({
    id: text,
    email: optionalText,
    emailProved: Type.Boolean(),
    role: text,
    ...storedPreferences,
    createdAt: time,
    disabledAt: Type.Optional(time),
    erasesAt: Type.Optional(time),
    signsInWith: Type.Optional(Type.String({ description: 'The address of the password, normalised.' })),
  }),
  identities: list({ issuer: text, subject: text }),
  memberships: list({ orgId: text, name: text, role: text, joinedAt: time }),
  subscriptions: list({
    id: text,
    processor: text,
    customer: text,
    price: text,
    product: optionalText,
    status: text,
    createdAt: time,
  }),
  sessions: list({
    id: text,
    createdAt: time,
    lastUsedAt: time,
    expiresAt: time,
    endedAt: Type.Optional(time),
    amr: Type.Array(text),
    address: optionalText,
    userAgent: optionalText,
  }),
  devices: list({ id: text, label: optionalText, createdAt: time, lastUsedAt: time }),
  factors: list({ id: text, type: factorType, friendlyName: text, createdAt: time }),
  events: Type.Array(
    object({
      id: text,
      at: time,
      action: text,
      target: Type.Optional(object({ kind: text, id: text })),
      address: optionalText,
      details: Type.Object({}),
    }),
    { description: 'What the account did, by the audit trail, the oldest first.' },
  ),
})

export const exportOwnAccountContract = {
  id: 'exportOwnAccount',
  method: 'GET',
  path: '/auth/account/export',
  tag: 'Built-in issuer',
  summary: 'Fetch everything about the caller’s account',
  description:
    'A file in JSON with the account, its identities, memberships, subscriptions, sessions, devices, the names of its factors, and what it did by the audit trail. No secret is in it. A transfer that fails is aborted and not well-formed.',
  permission: 'caller',
  needs: ownAccountNeeds,
  answers: {
    200: {
      ...json('The account', AccountExport, {
        exportedAt: '2026-11-02T09:30:00.000000Z',
        account: {
          id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
          email: 'ada@example.com',
          emailProved: true,
          role: 'user',
          createdAt: '2026-11-02T08:00:00.000000Z',
          signsInWith: 'ada@example.com',
        },
        identities: [{ issuer: 'urn:muster:issuer', subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' }],
        memberships: [],
        subscriptions: [],
        sessions: [],
        devices: [],
        factors: [],
        events: [],
      }),
      headers: {
        'Content-Disposition': { description: 'A file `account.json`.', schema: Type.String() },
      },
    },
  },
  problems: ['user_unknown', ...sessionProblems],
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
