import Type from 'typebox'
import { json, named, type OperationContract } from '../../platform/http/contract.ts'
import { passwordRules } from './password-fields.ts'
import { sessionProblems } from './sessions.ts'
import { secondProof } from './sign-in.ts'
import { AccessToken, tokensExample } from './tokens.ts'

const { refresh_token: _, ...accessTokenExample } = tokensExample.value

export const stepUpContract = {
  id: 'stepUp',
  method: 'POST',
  path: '/auth/step-up',
  tag: 'Built-in issuer',
  summary: 'Authenticate again in an open session',
  description:
    'After the answer `step_up_required`. Takes the password; or, of an account with a second factor, a code with its factor, a recovery code or a passkey. The session is then as good as a new one, at the next call with any of its tokens; the answer has an access token with the new `auth_time` and `acr`. The refresh token stays as it is.',
  permission: 'caller',
  body: named('StepUp', {
    password: Type.Optional(Type.String({ ...passwordRules, description: 'The current password.' })),
    ...secondProof,
  }),
  bodyExamples: {
    password: { summary: 'The password', value: { password: 'correct horse battery' } },
    code: {
      summary: 'A code of an authenticator app',
      value: { factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', code: '755224' },
    },
  },
  answers: {
    200: json('An access token of the same session', AccessToken, accessTokenExample),
  },
  problems: ['password_wrong', 'code_refused', 'factor_required', 'sign_in_wait', ...sessionProblems],
} as const satisfies OperationContract
