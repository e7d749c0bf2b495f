import Type from 'typebox'
import { erasureAnswer, erasureProblems } from '../../identity/erasure-contract.ts'
import { preferenceNames, preferenceSchemas, preferencesExample } from '../../identity/preferences.ts'
import {
  contract,
  flag,
  json,
  jsonExamples,
  named,
  object,
  ownAccountNeeds,
  text,
  time,
} from '../../platform/http/contract.ts'
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

const timestamp = time()
const list = (members: Parameters<typeof Type.Object>[0]) => Type.Array(object(members))
const string = Type.String()
const optionalString = Type.Optional(string)

const storedPreferences = Object.fromEntries(preferenceNames.map((name) => [name, optionalString]))

/** All data of one account. Its members are part of the contract. */
export const AccountExport = named('AccountExport', {
  exportedAt: timestamp,
  account: object({
    id: string,
    email: optionalString,
    emailProved: Type.Boolean(),
    role: string,
    ...storedPreferences,
    createdAt: timestamp,
    disabledAt: Type.Optional(timestamp),
    erasesAt: Type.Optional(timestamp),
    signsInWith: Type.Optional(text('The email for password sign-in, normalized.')),
  }),
  identities: list({ issuer: string, subject: string }),
  memberships: list({ orgId: string, name: string, role: string, joinedAt: timestamp }),
  invitations: list({ orgId: string, name: string, role: string, expiresAt: timestamp }),
  subscriptions: list({
    id: string,
    processor: string,
    customer: string,
    items: list({ price: string, quantity: Type.Optional(Type.Integer()) }),
    product: optionalString,
    status: string,
    createdAt: timestamp,
    currentPeriodEnd: Type.Optional(timestamp),
    cancelAtPeriodEnd: Type.Optional(Type.Boolean()),
    trialEnd: Type.Optional(timestamp),
  }),
  sessions: list({
    id: string,
    createdAt: timestamp,
    lastUsedAt: timestamp,
    expiresAt: timestamp,
    endedAt: Type.Optional(timestamp),
    amr: Type.Array(string),
    address: optionalString,
    userAgent: optionalString,
    orgId: optionalString,
  }),
  devices: list({ id: string, label: optionalString, createdAt: timestamp, lastUsedAt: timestamp }),
  factors: list({ id: string, type: factorType, friendlyName: string, createdAt: timestamp }),
  events: Type.Array(
    object({
      id: string,
      at: timestamp,
      action: string,
      target: Type.Optional(object({ kind: string, id: string })),
      address: optionalString,
      details: Type.Object({}),
    }),
    { description: 'The account’s events in the audit log, the oldest first.' },
  ),
})

export const accountContracts = {
  readOwnAccount: contract('GET /auth/account', 'caller', {
    ...inSession,
    id: 'readOwnAccount',
    summary: 'Read the caller’s account',
    description: 'Returns the email of the account, whether it is verified, and the owner’s preferences.',
    actAs: true,
    answers: {
      200: jsonExamples(
        'The account',
        named('OwnAccount', {
          email: Type.Union([Type.String(), Type.Null()]),
          emailProved: flag('Whether the owner has verified the email.'),
          ...preferenceSchemas,
          emailChange: Type.Optional(
            named(
              'OpenEmailChange',
              {
                newEmail: Type.String(),
                expiresAt: time('When the links expire.'),
                awaits: Type.Array(Type.Enum(['new', 'present']), {
                  description: 'The emails whose link must still be used.',
                }),
              },
              { description: 'A pending email change. `DELETE /auth/email` cancels it.' },
            ),
          ),
        }),
        {
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
      ),
    },
  }),
  changeOwnAccount: contract('PATCH /auth/account', 'caller', {
    ...inSession,
    id: 'changeOwnAccount',
    summary: 'Change the preferences of the caller’s account',
    description: 'Omitted preferences do not change.',
    body: named('AccountChange', { ...Type.Partial(Type.Object(preferenceSchemas)).properties }, { minProperties: 1 }),
    bodyExamples: { german: { summary: 'German', value: { language: 'de' } } },
    answers: {
      200: json('All preferences after the change', named('AccountPreferences', preferenceSchemas), preferencesExample),
    },
  }),
  changePassword: contract('PUT /auth/password', 'caller', {
    ...inSession,
    id: 'changePassword',
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
  }),
  exportOwnAccount: contract('GET /auth/account/export', 'caller', {
    ...inSession,
    id: 'exportOwnAccount',
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
  }),
  eraseOwnAccount: contract('POST /auth/account/erase', 'caller', {
    ...inSession,
    id: 'eraseOwnAccount',
    summary: 'Delete the caller’s account',
    description:
      'Deletes the account after `MUSTER_ERASE_AFTER_DAYS`, 14 by default. Immediately ends every session, device and link, disables the account and removes it from lists. Until the deletion, a sign-in returns `account_erasing` with a challenge, with which `POST /auth/account/keep` restores the account. Not allowed for the last administrator, for the only user who manages an organization with other members, and while the account has an active subscription.',
    needs: ownAccountNeeds,
    answers: { 202: erasureAnswer },
    problems: [...erasureProblems, ...sessionProblems],
  }),
  keepOwnAccount: contract('POST /auth/account/keep', 'public', {
    ...withoutSession,
    id: 'keepOwnAccount',
    summary: 'Restore an account that is scheduled for deletion',
    description:
      'Takes the challenge from the error `account_erasing`. An account with a second factor also needs a code with its factor, a recovery code or a passkey. Restores the account and signs in. Not possible once the deletion is due.',
    body: named('Keep', { challenge: Type.String(opaqueTokenRules), device_token: deviceToken, ...secondProof }),
    bodyExamples: {
      challenge: { summary: 'The challenge', value: { challenge: 'mct_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' } },
    },
    answers: { 200: signedInAnswer },
    problems: ['challenge_invalid', 'factor_required', 'code_refused', 'sign_in_wait', ...attemptProblems],
  }),
}
