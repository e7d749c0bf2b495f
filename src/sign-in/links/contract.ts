import Type, { type Static } from 'typebox'
import { json, named, type OperationContract, ownAccountNeeds, textContent } from '../../platform/http/contract.ts'
import { emailRules } from '../../platform/http/formats.ts'
import { secondProof } from '../factors/contract.ts'
import { FactorName, passkeyMember } from '../factors/proof-contract.ts'
import { newPasswordRules } from '../passwords/contract.ts'
import { attemptProblems, opaqueTokenRules, sessionProblems, signedInAnswer } from '../sessions/contract.ts'

export const signInAfterSignUp = Type.Optional(
  Type.Boolean({
    description:
      'Whether to open a session; the default. `false` is for a page where the user does not go on: the answer is then 204.',
  }),
)

export const createdAnswer = {
  description: 'With `signIn: false`: the account is created, and no session is opened',
} as const

const linkToken = Type.String({ ...opaqueTokenRules, description: 'Of the link, behind `#token=`.' })
const linkTokenExample = 'mlk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const acceptedAnswer = json('Taken; whether there is such an account is not said', named('Taken', {}), {})

const tag = 'Built-in issuer'

export const InspectedLink = named('InspectedLink', {
  purpose: Type.Enum(
    ['recovery', 'recovery_reset_factors', 'sign_up', 'invitation', 'email_change', 'email_change_old', 'email_undo'],
    {
      description:
        'Which operation takes the token. `recovery`, and `recovery_reset_factors`, which also removes the second factors: `POST /auth/recovery/complete`. `sign_up`: `POST /auth/sign-up/confirm`. `invitation`: `POST /auth/sign-up`, with the address. `email_change`, mailed to the new address, and `email_change_old`, mailed to the present one: `POST /auth/email/confirm`. `email_undo`: `POST /auth/email/undo`.',
    },
  ),
  email: Type.String({
    description:
      'The address of the account; of `sign_up`, `invitation` and `email_change` the new one, of `email_undo` the one that is put back.',
  }),
  newEmail: Type.Optional(
    Type.String({ description: 'Of `email_change_old`: the address that the account is to have.' }),
  ),
  awaitsOther: Type.Optional(
    Type.Boolean({
      description: 'Of a change of address: whether the link to the other address has to be used, too.',
    }),
  ),
  needsFactor: Type.Boolean({ description: 'Whether a new password needs a second factor or a recovery code too.' }),
  factors: Type.Array(FactorName, { description: 'One of these, where one is needed.' }),
  passkey: passkeyMember,
})
export type InspectedLink = Static<typeof InspectedLink>

export const requestRecoveryContract = {
  id: 'requestRecovery',
  method: 'POST',
  path: '/auth/recovery',
  tag,
  summary: 'Ask for a link by mail',
  description:
    'For users who have forgotten the password. Where the address has an account with a password, a link is mailed to it that is valid for 30 minutes, once. The answer is the same for every address and does not wait for the mail. An account gets three such mails in an hour and ten in a day, and ten requests of one network in an hour are followed; beyond that nothing is sent, and the answer is the same. Until the link is used nothing changes.',
  permission: 'public',
  body: named('RecoveryRequest', { email: Type.String(emailRules) }),
  bodyExamples: { address: { summary: 'The address of the account', value: { email: 'ada@example.com' } } },
  answers: { 202: acceptedAnswer },
  problems: ['mail_unconfigured', ...attemptProblems],
} as const satisfies OperationContract

export const inspectLinkContract = {
  id: 'inspectLink',
  method: 'POST',
  path: '/auth/links/inspect',
  tag,
  summary: 'Look at a link',
  description: 'What the link is good for, and for whom. The link stays as it is.',
  permission: 'public',
  body: named('LinkToken', { token: linkToken }),
  bodyExamples: { token: { summary: 'The token of a link', value: { token: linkTokenExample } } },
  answers: {
    200: json('The link is good', InspectedLink, {
      purpose: 'recovery',
      email: 'ada@example.com',
      needsFactor: true,
      factors: [{ id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', type: 'totp', friendlyName: 'Phone' }],
    }),
  },
  problems: ['link_invalid', ...attemptProblems],
} as const satisfies OperationContract

export const completeRecoveryContract = {
  id: 'completeRecovery',
  method: 'POST',
  path: '/auth/recovery/complete',
  tag,
  summary: 'Choose a new password with a link',
  description:
    'Uses the link up. Ends every session of the account, forgets its devices, and ends its other links. Where the account has a second factor, a new password needs a code of it, a recovery code or a passkey: a wrong one counts as at sign-in, and the fifth ends the link. A link that an operator made for lost factors removes them instead. Opens no session: sign in with the new password. Without `newPassword` the link only makes this device known, so that a sign-in with the password and the `device_token` is not held up.',
  permission: 'public',
  body: named('RecoveryCompletion', {
    token: linkToken,
    newPassword: Type.Optional(Type.String(newPasswordRules)),
    ...secondProof,
  }),
  bodyExamples: {
    password: {
      summary: 'A new password',
      value: { token: linkTokenExample, newPassword: 'seventeen small turtles' },
    },
    factor: {
      summary: 'Of an account with a second factor',
      value: {
        token: linkTokenExample,
        newPassword: 'seventeen small turtles',
        factorId: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55',
        code: '755224',
      },
    },
  },
  answers: {
    200: json(
      'The password is changed, or the device known',
      named('KnownDevice', { device_token: Type.String({ description: 'Send it with the next sign-in.' }) }),
      { device_token: 'mdt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    ),
  },
  problems: ['link_invalid', 'factor_required', 'code_refused', 'sign_in_wait', ...attemptProblems],
} as const satisfies OperationContract

export const linkPageContract = {
  id: 'getLinkPage',
  method: 'GET',
  path: '/auth/link',
  tag,
  summary: 'The page that links lead to',
  description:
    'Reads the token behind `#`, which no server receives, and sends it when the user presses a button. Opening the page uses nothing up, so programs that open the links of mails do no harm. `MUSTER_LINK_URL` names a page of your own instead.',
  permission: 'public',
  answers: {
    200: {
      description: 'HTML',
      content: textContent('text/html', '<!doctype html>\n'),
    },
  },
} as const satisfies OperationContract

export const linkScriptContract = {
  id: 'getLinkScript',
  method: 'GET',
  path: '/auth/link/page.js',
  tag,
  summary: 'The script of the page /auth/link',
  description: 'A script without dependencies.',
  permission: 'public',
  answers: {
    200: {
      description: 'JavaScript',
      content: textContent('text/javascript', '// '),
    },
  },
} as const satisfies OperationContract

export const linkStyleContract = {
  id: 'getLinkStyle',
  method: 'GET',
  path: '/auth/link/page.css',
  tag,
  summary: 'The style of the page /auth/link',
  description: 'For light and dark.',
  permission: 'public',
  answers: {
    200: {
      description: 'CSS',
      content: textContent('text/css', ':root {'),
    },
  },
} as const satisfies OperationContract

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
  answers: { 202: acceptedAnswer },
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
