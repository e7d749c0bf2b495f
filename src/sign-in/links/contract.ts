import Type, { type Static } from 'typebox'
import { contract, flag, json, named, ownAccountNeeds, text, textContent } from '../../platform/http/contract.ts'
import { newEmailRules } from '../../platform/http/formats.ts'
import { FactorName, passkeyMember, secondProof } from '../factors/contract.ts'
import {
  attemptProblems,
  inSession,
  issuerTag,
  newPasswordRules,
  opaqueTokenRules,
  sessionProblems,
  withoutSession,
} from '../sessions/contract.ts'

export const linkToken = Type.String({ ...opaqueTokenRules, description: 'The value after `#token=` in the link.' })
export const linkTokenExample = 'mlk_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

export const acceptedAnswer = json(
  'Accepted. The response does not reveal whether there is an account',
  named('Taken', {}),
  {},
)

export const InspectedLink = named('InspectedLink', {
  purpose: Type.Enum(
    ['recovery', 'recovery_reset_factors', 'sign_up', 'invitation', 'email_change', 'email_change_old', 'email_undo'],
    {
      description:
        'Which operation takes the token. `recovery`, and `recovery_reset_factors`, which also removes the second factors: `POST /auth/recovery/complete`. `sign_up`: `POST /auth/sign-up/confirm`. `invitation`: `POST /auth/sign-up`, with the email. `email_change`, mailed to the new email, and `email_change_old`, mailed to the current one: `POST /auth/email/confirm`. `email_undo`: `POST /auth/email/undo`.',
    },
  ),
  email: text(
    'The email of the account. For `sign_up`, `invitation` and `email_change` the new email, for `email_undo` the restored one.',
  ),
  newEmail: Type.Optional(text('Only for `email_change_old`: the new email of the account.')),
  awaitsOther: Type.Optional(flag('Only for an email change: whether the link to the other email must be used, too.')),
  needsFactor: flag('Whether a new password also needs a second factor or a recovery code.'),
  factors: Type.Array(FactorName, { description: 'The factors, if one is needed.' }),
  passkey: passkeyMember,
})
export type InspectedLink = Static<typeof InspectedLink>

export const linkContracts = {
  requestRecovery: contract('POST /auth/recovery', 'public', {
    ...withoutSession,
    id: 'requestRecovery',
    summary: 'Request a recovery link by email',
    description:
      'For users who forgot their password. If the email has an account with a password, mails a link to it, which works once within 30 minutes. The response is the same for every email and does not wait for the mail. Sends at most three such mails an hour and ten a day per account, and handles ten requests an hour per network; beyond that nothing is sent, and the response is the same. Nothing changes until the link is used.',
    body: named('RecoveryRequest', { email: Type.String(newEmailRules) }),
    bodyExamples: { address: { summary: 'The email of the account', value: { email: 'ada@example.com' } } },
    answers: { 202: acceptedAnswer },
    problems: ['mail_unconfigured', ...attemptProblems],
  }),
  inspectLink: contract('POST /auth/links/inspect', 'public', {
    ...withoutSession,
    id: 'inspectLink',
    summary: 'Inspect a link',
    description: 'Returns what the link does and for which account. Does not consume the link.',
    body: named('LinkToken', { token: linkToken }),
    bodyExamples: { token: { summary: 'The token of a link', value: { token: linkTokenExample } } },
    answers: {
      200: json('The link is valid', InspectedLink, {
        purpose: 'recovery',
        email: 'ada@example.com',
        needsFactor: true,
        factors: [{ id: '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55', type: 'totp', friendlyName: 'Phone' }],
      }),
    },
    problems: ['link_invalid', ...attemptProblems],
  }),
  completeRecovery: contract('POST /auth/recovery/complete', 'public', {
    ...withoutSession,
    id: 'completeRecovery',
    summary: 'Choose a new password with a link',
    description:
      'Consumes the link. Ends every session and all other links of the account, and forgets its devices. If the account has a second factor, a new password needs a code of it, a recovery code or a passkey. A wrong one counts as at sign-in, and the fifth ends the link. A link that an operator created for lost factors removes them instead. Opens no session: sign in with the new password. Without `newPassword`, the link only makes this device known, so that a sign-in with the password and the `device_token` is not rate limited by failures elsewhere.',
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
        summary: 'For an account with a second factor',
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
        'The password is changed, or the device is known',
        named('KnownDevice', { device_token: text('Send it with the next sign-in.') }),
        { device_token: 'mdt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      ),
    },
    problems: ['link_invalid', 'factor_required', 'code_refused', 'sign_in_wait', ...attemptProblems],
  }),
  linkPage: contract('GET /auth/link', 'public', {
    id: 'getLinkPage',
    tag: issuerTag,
    summary: 'Get the page that links open',
    description:
      'Reads the token after `#`, which no server receives, and sends it when the user presses a button. Opening the page consumes nothing, so that mail scanners that open links do no harm. `MUSTER_LINK_URL` replaces it with your own page.',
    answers: { 200: { description: 'HTML', content: textContent('text/html', '<!doctype html>\n') } },
  }),
  linkScript: contract('GET /auth/link/page.js', 'public', {
    id: 'getLinkScript',
    tag: issuerTag,
    summary: 'Get the script of /auth/link',
    description: 'A script without dependencies.',
    answers: {
      200: {
        description: 'JavaScript',
        content: textContent('text/javascript', '// '),
      },
    },
  }),
  linkStyle: contract('GET /auth/link/page.css', 'public', {
    id: 'getLinkStyle',
    tag: issuerTag,
    summary: 'Get the style of /auth/link',
    description: 'Supports light and dark mode.',
    answers: { 200: { description: 'CSS', content: textContent('text/css', ':root {') } },
  }),
  requestEmailChange: contract('POST /auth/email', 'caller', {
    ...inSession,
    id: 'requestEmailChange',
    summary: 'Change the caller’s email',
    description:
      'Mails a link to the new email. Without a second factor, the current email gets a link too if it is verified: both must be used within two hours, in either order. Nothing changes before. Another request replaces the pending one. If the email is taken, its owner gets a notification, and the response is the same. For the account’s own unverified email, the link verifies it. Sends at most three such links an hour and ten a day per account, and the same per email; beyond that nothing is sent, and the response is the same.',
    needs: ownAccountNeeds,
    body: named('EmailChange', { newEmail: Type.String(newEmailRules) }),
    bodyExamples: { address: { summary: 'The new email', value: { newEmail: 'ada@new.example.com' } } },
    answers: { 202: acceptedAnswer },
    problems: ['mail_unconfigured', 'password_missing', ...sessionProblems],
  }),
  withdrawEmailChange: contract('DELETE /auth/email', 'caller', {
    ...inSession,
    id: 'withdrawEmailChange',
    summary: 'Cancel the caller’s email change',
    description:
      'The unused links of `POST /auth/email` stop working, and the account keeps its email. The response is the same if no change is pending.',
    answers: { 204: { description: 'No email change is pending' } },
  }),
  confirmEmailChange: contract('POST /auth/email/confirm', 'public', {
    ...withoutSession,
    id: 'confirmEmailChange',
    summary: 'Confirm an email change',
    description:
      'Consumes a link of `POST /auth/email`. If the link to the other email must be used too, nothing changes before that. Then the account has the new, verified email, and all other links end; sessions stay open. The previous email gets a mail with a link that restores it, valid for seven days. If the previous email was unverified, it gets no mail, and everything that the account had ends: sessions, devices, second factors and identities at other issuers.',
    body: named('EmailConfirmation', { token: linkToken }),
    bodyExamples: { token: { summary: 'The token of the link', value: { token: linkTokenExample } } },
    answers: { 204: { description: 'The link is used' } },
    problems: ['link_invalid', ...attemptProblems],
  }),
  undoEmailChange: contract('POST /auth/email/undo', 'public', {
    ...withoutSession,
    id: 'undoEmailChange',
    summary: 'Undo an email change',
    description:
      'Consumes the link that was mailed to the previous email, and restores that email. Ends every session, device and link, and every second factor that was added since. The password stops working: only a recovery, mailed to the restored email, opens the account again.',
    body: named('EmailUndo', { token: linkToken }),
    bodyExamples: { token: { summary: 'The token of the link', value: { token: linkTokenExample } } },
    answers: { 204: { description: 'The email is restored' } },
    problems: ['link_invalid', ...attemptProblems],
  }),
}
