import Type from 'typebox'
import { named, type OperationContract, ownAccountNeeds } from '../../platform/http/contract.ts'
import { emailRules } from '../../platform/http/formats.ts'
import { newPasswordRules } from './password-fields.ts'
import { sessionProblems } from './sessions.ts'
import {
  attemptProblems,
  createdAnswer,
  linkToken,
  linkTokenExample,
  signInAfterSignUp,
  takenAnswer,
} from './sign-in.ts'
import { signedInAnswer } from './tokens.ts'

const tag = 'Built-in issuer'

export const confirmSignUpContract = {
  id: 'confirmSignUp',
  method: 'POST',
  path: '/auth/sign-up/confirm',
  tag,
  summary: 'Sign up with a mailed link',
  description:
    'Uses the link up, creates the account with the password, and opens a session. The link proves the address: an account that has it without a proof loses it. Until the link is used there is no account. It is valid for two hours, once.',
  permission: 'public',
  body: named('SignUpConfirmation', {
    token: linkToken,
    password: Type.String(newPasswordRules),
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
} as const satisfies OperationContract

export const requestEmailChangeContract = {
  id: 'requestEmailChange',
  method: 'POST',
  path: '/auth/email',
  tag,
  summary: 'Change the caller’s address',
  description:
    'Mails a link to the new address. Of an account without a second factor the present address, if it is proved, gets a link, too: both have to be used, in either order, within two hours. Until then nothing changes. Another request takes the place of the one before. Of a taken address its owner gets a mail that says so, and the answer is the same. With the address that the account has, and nothing proves, the link proves it. An account gets three such links in an hour and ten in a day, and so does an address; beyond that nothing is sent, and the answer is the same.',
  permission: 'caller',
  needs: ownAccountNeeds,
  body: named('EmailChange', { newEmail: Type.String(emailRules) }),
  bodyExamples: { address: { summary: 'The new address', value: { newEmail: 'ada@new.example.com' } } },
  answers: { 202: takenAnswer },
  problems: ['mail_unconfigured', 'password_missing', ...sessionProblems],
} as const satisfies OperationContract

export const withdrawEmailChangeContract = {
  id: 'withdrawEmailChange',
  method: 'DELETE',
  path: '/auth/email',
  tag,
  summary: 'Withdraw a change of the caller’s address',
  description:
    'The links of `POST /auth/email` that are not used yet work no more; the account keeps its address. The same answer where there is none.',
  permission: 'caller',
  answers: { 204: { description: 'No change of address is open' } },
  problems: sessionProblems,
} as const satisfies OperationContract

export const confirmEmailChangeContract = {
  id: 'confirmEmailChange',
  method: 'POST',
  path: '/auth/email/confirm',
  tag,
  summary: 'Confirm a change of address',
  description:
    'Uses a link of `POST /auth/email` up. Where another one has to be used, too, nothing changes before it is. Then the account has the new address, with a proof of it, and all other links end; sessions stay open. The address before gets a mail with a link that puts it back, for seven days. Where the address before was not proved, it gets none, and what the account has had until then ends: sessions, devices, second factors and accounts at other issuers.',
  permission: 'public',
  body: named('EmailConfirmation', { token: linkToken }),
  bodyExamples: { token: { summary: 'The token of the link', value: { token: linkTokenExample } } },
  answers: { 204: { description: 'The link is used' } },
  problems: ['link_invalid', ...attemptProblems],
} as const satisfies OperationContract

export const undoEmailChangeContract = {
  id: 'undoEmailChange',
  method: 'POST',
  path: '/auth/email/undo',
  tag,
  summary: 'Undo a change of address',
  description:
    'Uses the link up that the address before has got. The account has it again. Every session ends, every device and link, and every second factor that was added since; the password is not accepted any more. Only a recovery, which the address can ask for, opens the account again.',
  permission: 'public',
  body: named('EmailUndo', { token: linkToken }),
  bodyExamples: { token: { summary: 'The token of the link', value: { token: linkTokenExample } } },
  answers: { 204: { description: 'The address is back' } },
  problems: ['link_invalid', ...attemptProblems],
} as const satisfies OperationContract
