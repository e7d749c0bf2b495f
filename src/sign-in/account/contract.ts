import Type from 'typebox'
import { erasureAnswer, erasureProblems } from '../../identity/erasure-contract.ts'
import { preferenceNames, preferenceSchemas, preferencesExample } from '../../identity/preferences.ts'
import { json, named, type OperationContract, object, ownAccountNeeds } from '../../platform/http/contract.ts'
import { factorType, secondProof } from '../factors/contract.ts'
import {
  attemptProblems,
  deviceToken,
  inSession,
  newPasswordRules,
  opaqueTokenRules,
  passwordRules,
  sessionProblems,
  signedInAnswer,
  withoutSession,
} from '../sessions/contract.ts'

const unset = Object.fromEntries(preferenceNames.map((name) => [name, null]))

export const readOwnAccountContract = {
  ...inSession,
  id: 'readOwnAccount',
  method: 'GET',
  path: '/auth/account',
  summary: 'Read the caller’s account',
  description: 'Returns the email of the account, whether it is verified, and the owner’s preferences.',
  actAs: true,
  answers: {
    200: {
      description: 'The account',
      content: {
        'application/json': {
          schema: named('OwnAccount', {
            email: Type.Union([Type.String(), Type.Null()]),
            emailProved: Type.Boolean({ description: 'Whether the owner has verified the email.' }),
            ...preferenceSchemas,
            emailChange: Type.Optional(
              named(
                'OpenEmailChange',
                {
                  newEmail: Type.String(),
                  expiresAt: Type.String({ description: 'RFC 3339. When the links expire.' }),
                  awaits: Type.Array(Type.Enum(['new', 'present']), {
                    description: 'The emails whose link must still be used.',
                  }),
                },
                { description: 'A pending email change. `DELETE /auth/email` cancels it.' },
              ),
            ),
          }),
          examples: {
            proved: { summary: 'A verified email', value: { email: 'ada@example.com', emailProved: true, ...unset } },
            changing: {
              summary: 'An email change that both emails must confirm',
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
} as const satisfies OperationContract

export const changeOwnAccountContract = {
  ...inSession,
  id: 'changeOwnAccount',
  method: 'PATCH',
  path: '/auth/account',
  summary: 'Change the preferences of the caller’s account',
  description: 'Omitted preferences do not change.',
  body: named('AccountChange', { ...Type.Partial(Type.Object(preferenceSchemas)).properties }, { minProperties: 1 }),
  bodyExamples: { german: { summary: 'German', value: { language: 'de' } } },
  answers: {
    200: json('All preferences after the change', named('AccountPreferences', preferenceSchemas), preferencesExample),
  },
} as const satisfies OperationContract

export const eraseOwnAccountContract = {
  ...inSession,
  id: 'eraseOwnAccount',
  method: 'POST',
  path: '/auth/account/erase',
  summary: 'Delete the caller’s account',
  description:
    'Deletes the account after `MUSTER_ERASE_AFTER_DAYS`, 14 by default. Immediately ends every session, device and link, disables the account and removes it from lists. Until the deletion, a sign-in returns `account_erasing` with a challenge, with which `POST /auth/account/keep` restores the account. Not allowed for the last administrator, for the only user who manages an organization with other members, and while the account has an active subscription.',
  needs: ownAccountNeeds,
  answers: { 202: erasureAnswer },
  problems: [...erasureProblems, ...sessionProblems],
} as const satisfies OperationContract

export const keepOwnAccountContract = {
  ...withoutSession,
  id: 'keepOwnAccount',
  method: 'POST',
  path: '/auth/account/keep',
  summary: 'Restore an account that is scheduled for deletion',
  description:
    'Takes the challenge from the error `account_erasing`. An account with a second factor also needs a code with its factor, a recovery code or a passkey. Restores the account and signs in. Not possible once the deletion is due.',
  body: named('Keep', { challenge: Type.String(opaqueTokenRules), device_token: deviceToken, ...secondProof }),
  bodyExamples: {
    challenge: { summary: 'The challenge', value: { challenge: 'mct_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
  },
  answers: { 200: signedInAnswer },
  problems: ['challenge_invalid', 'factor_required', 'code_refused', 'sign_in_wait', ...attemptProblems],
} as const satisfies OperationContract

const time = Type.String({ description: 'RFC 3339.' })
const list = (members: Parameters<typeof Type.Object>[0]) => Type.Array(object(members))
const text = Type.String()
const optionalText = Type.Optional(text)

const storedPreferences = Object.fromEntries(preferenceNames.map((name) => [name, optionalText]))

/** All data of one account. Its members are part of the contract. */
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
    signsInWith: Type.Optional(Type.String({ description: 'The email for password sign-in, normalized.' })),
  }),
  identities: list({ issuer: text, subject: text }),
  memberships: list({ orgId: text, name: text, role: text, joinedAt: time }),
  invitations: list({ orgId: text, name: text, role: text, expiresAt: time }),
  subscriptions: list({
    id: text,
    processor: text,
    customer: text,
    items: list({ price: text, quantity: Type.Optional(Type.Integer()) }),
    product: optionalText,
    status: text,
    createdAt: time,
    currentPeriodEnd: Type.Optional(time),
    cancelAtPeriodEnd: Type.Optional(Type.Boolean()),
    trialEnd: Type.Optional(time),
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
    orgId: optionalText,
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
    { description: 'The account’s events in the audit log, the oldest first.' },
  ),
})

export const exportOwnAccountContract = {
  ...inSession,
  id: 'exportOwnAccount',
  method: 'GET',
  path: '/auth/account/export',
  summary: 'Export the caller’s account',
  description:
    'Returns a JSON file with the account, its identities, memberships, subscriptions, sessions, devices, the names of its factors, and its events in the audit log. Contains no secrets. If the transfer fails, the file is truncated and not valid JSON.',
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
        identities: [{ issuer: 'https://muster.example.com', subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' }],
        memberships: [],
        invitations: [],
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
  ...inSession,
  id: 'changePassword',
  method: 'PUT',
  path: '/auth/password',
  summary: 'Change the caller’s password',
  description: 'Needs the current password. Every other session of the account ends.',
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

export const accountContracts: readonly OperationContract[] = [
  readOwnAccountContract,
  changeOwnAccountContract,
  changePasswordContract,
  exportOwnAccountContract,
  eraseOwnAccountContract,
  keepOwnAccountContract,
]
