import Type from 'typebox'
import { contract, flag, jsonExamples, named } from '../platform/http/contract.ts'
import { newEmailRules } from '../platform/http/formats.ts'
import { Challenge, codeProof, secondProof } from './factors/contract.ts'
import { assertionExample } from './factors/passkey-contract.ts'
import { acceptedAnswer, linkToken, linkTokenExample } from './links/contract.ts'
import {
  accessTokenAnswer,
  attemptProblems,
  currentPassword,
  deviceToken,
  inSession,
  issuerTag,
  newPasswordRules,
  opaqueTokenRules,
  passwordRules,
  SignedIn,
  sessionProblems,
  signedInAnswer,
  signedInExample,
  tokensAnswer,
  withoutSession,
} from './sessions/contract.ts'

const signInAfterSignUp = Type.Optional(
  flag(
    'Whether to open a session. Default: true. With `false`, for a page that does not continue as the user, the response is 204.',
  ),
)

const newDisplayName = Type.Optional(
  Type.String({ format: 'display-name', description: 'The name that other users see, with 1 to 200 characters.' }),
)

const createdAnswer = {
  description: 'With `signIn: false`: the account is created without a session',
} as const

const challengeExample = 'mct_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const signInContracts = {
  signUp: contract('POST /auth/sign-up', 'public', {
    ...withoutSession,
    id: 'signUp',
    summary: 'Sign up with a password',
    description:
      'Creates an account and opens a session if `MUSTER_SIGN_UP` is `open`, or if it is `invitation` and the request has an invitation to this email. The default is `closed`. If the service sends mail and sign-up is open, a request without an invitation has no password. The response is then 202, the same for every email, and a link is mailed with which `POST /auth/sign-up/confirm` creates the account. If the email is taken, its owner gets a notification instead. Sends at most three such mails an hour and ten a day per email, and handles ten requests an hour per network; beyond that nothing is sent, and the response is the same.',
    body: named('SignUp', {
      email: Type.String(newEmailRules),
      password: Type.Optional(Type.String(newPasswordRules)),
      invitation: Type.Optional(Type.String(opaqueTokenRules)),
      displayName: newDisplayName,
      signIn: signInAfterSignUp,
    }),
    bodyExamples: {
      invited: {
        summary: 'With an invitation',
        value: {
          email: 'grace@example.com',
          password: 'seventeen small turtles',
          invitation: 'mit_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        },
      },
      mailed: { summary: 'If the service sends mail', value: { email: 'grace@example.com' } },
    },
    answers: { 201: signedInAnswer, 202: acceptedAnswer, 204: createdAnswer },
    problems: ['sign_up_refused', ...attemptProblems],
  }),
  confirmSignUp: contract('POST /auth/sign-up/confirm', 'public', {
    ...withoutSession,
    id: 'confirmSignUp',
    summary: 'Sign up with a mailed link',
    description:
      'Consumes the link, creates the account with the password, and opens a session. The link verifies the email, and removes it from accounts that have it unverified. There is no account before the link is used. The link works once within two hours.',
    body: named('SignUpConfirmation', {
      token: linkToken,
      password: Type.String(newPasswordRules),
      displayName: newDisplayName,
      signIn: signInAfterSignUp,
    }),
    bodyExamples: {
      password: {
        summary: 'The token of the link, and a password',
        value: { token: linkTokenExample, password: 'seventeen small turtles' },
      },
    },
    answers: { 201: signedInAnswer, 204: createdAnswer },
    problems: ['link_invalid', 'sign_up_refused', ...attemptProblems],
  }),
  signIn: contract('POST /auth/sign-in', 'public', {
    ...withoutSession,
    id: 'signIn',
    summary: 'Sign in with a password',
    description:
      'Opens a session, or returns a challenge for the second step if the account has a verified factor. The response is the same for an unknown email, a wrong password and a disabled account. Unknown devices have ten attempts per email, and one more every 15 minutes. Beyond that the response is 429 with `Retry-After`, also for emails without an account. A known device has its own attempts. If the account is scheduled for deletion, a correct password gets 403 `account_erasing` with a challenge that can restore the account. With a second proof in the same request, `code` with `factorId` or `recoveryCode`, the owner can sign in despite the limit.',
    body: named('SignIn', {
      email: Type.String(newEmailRules),
      password: Type.String(passwordRules),
      device_token: deviceToken,
      ...codeProof,
    }),
    bodyExamples: {
      password: {
        summary: 'Email and password',
        value: { email: 'ada@example.com', password: 'correct horse battery' },
      },
      known: {
        summary: 'From a known device',
        value: {
          email: 'ada@example.com',
          password: 'correct horse battery',
          device_token: 'mdt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        },
      },
    },
    answers: {
      200: jsonExamples('Tokens of a session, or a challenge for the second step', Type.Union([SignedIn, Challenge]), {
        tokens: signedInExample,
        challenge: {
          summary: 'A second step is needed',
          value: {
            mfa_required: true,
            challenge: challengeExample,
            expires_in: 300,
            factors: [{ id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', type: 'totp', friendlyName: 'Phone' }],
          },
        },
      }),
    },
    problems: ['sign_in_refused', 'account_erasing', 'sign_in_wait', 'code_refused', ...attemptProblems],
  }),
  completeSignIn: contract('POST /auth/sign-in/second-step', 'public', {
    ...withoutSession,
    id: 'completeSignIn',
    summary: 'Complete a sign-in with a second factor',
    description:
      'Needs the challenge of the first step, and a code of one of its factors, a recovery code, or a passkey assertion for the options in the challenge. A code works once. A challenge is valid for five minutes and five codes. An account has five wrong codes, and one more every 15 minutes. After 100 wrong codes, all codes are rejected until a recovery code or a passkey is used.',
    body: named('SecondStep', { challenge: Type.String(opaqueTokenRules), device_token: deviceToken, ...secondProof }),
    bodyExamples: {
      code: {
        summary: 'A code of an authenticator app',
        value: {
          challenge: challengeExample,
          factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
          code: '755224',
        },
      },
      recovery: {
        summary: 'A recovery code',
        value: {
          challenge: challengeExample,
          recoveryCode: 'h4kd9-2mfxq-7rp3w-tm8np-4vcek2',
        },
      },
      passkey: {
        summary: 'A passkey',
        value: { challenge: challengeExample, credential: assertionExample },
      },
    },
    answers: { 200: signedInAnswer },
    problems: ['challenge_invalid', 'code_refused', 'sign_in_wait', ...attemptProblems],
  }),
  refresh: contract('POST /auth/refresh', 'public', {
    id: 'refresh',
    tag: issuerTag,
    summary: 'Exchange a refresh token',
    description:
      'A refresh token works once, and the response contains the next one. A client that lost the response can send the same token again: within 60 seconds, and until the next token is used, it gets the same next token. Any other reuse ends the session, because two clients have the token. A session that is not refreshed for 14 days (`MUSTER_SESSION_IDLE_SECONDS`) ends.',
    body: named('Refresh', { refresh_token: Type.String(opaqueTokenRules) }),
    bodyExamples: {
      token: {
        summary: 'The newest refresh token',
        value: { refresh_token: 'mrt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      },
    },
    answers: { 200: tokensAnswer },
    problems: ['refresh_refused', 'rate_limited', 'database_unavailable', 'read_only'],
  }),
  stepUp: contract('POST /auth/step-up', 'caller', {
    ...inSession,
    id: 'stepUp',
    summary: 'Authenticate again in an open session',
    description:
      'Resolves the error `step_up_required`. Takes the password, or, for an account with a second factor, a code with its factor, a recovery code or a passkey. The session then counts as newly authenticated, from the next request with any of its tokens. The response has an access token with the new `auth_time` and `acr`. The refresh token does not change.',
    body: named('StepUp', {
      password: Type.Optional(currentPassword),
      ...secondProof,
    }),
    bodyExamples: {
      password: { summary: 'The password', value: { password: 'correct horse battery' } },
      code: {
        summary: 'A code of an authenticator app',
        value: { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '755224' },
      },
    },
    answers: { 200: accessTokenAnswer },
    problems: ['password_wrong', 'code_refused', 'factor_required', 'sign_in_wait', ...sessionProblems],
  }),
}
