import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { type Operation, operation } from '../identity/operation.ts'
import { Secret } from '../platform/secret.ts'
import {
  changeOwnAccountRoute,
  changePasswordRoute,
  eraseOwnAccountRoute,
  exportOwnAccountRoute,
  keepOwnAccountRoute,
  readOwnAccountRoute,
} from './account/routes.ts'
import { completeSignInContract, refreshContract, signInContract, signUpContract, stepUpContract } from './contract.ts'
import {
  addPasskeyRoute,
  enrolFactorRoute,
  listFactorsRoute,
  optionalCode,
  optionalProof,
  passkeyOptionsRoute,
  passkeySignInOptionsRoute,
  passkeySignInRoute,
  passkeyStepUpOptionsRoute,
  proofOf,
  removeFactorRoute,
  renameFactorRoute,
  renewRecoveryCodesRoute,
  verifyFactorRoute,
} from './factors/routes.ts'
import { completeSignIn } from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { discoveryRoute, keySetRoute } from './keys/routes.ts'
import { linkPageRoutes } from './links/inspect-link.ts'
import {
  completeRecoveryRoute,
  confirmEmailChangeRoute,
  confirmSignUpRoute,
  inspectLinkRoute,
  requestEmailChangeRoute,
  requestRecoveryRoute,
  undoEmailChangeRoute,
  withdrawEmailChangeRoute,
} from './links/routes.ts'
import { type Attempts, deviceAt, deviceTokenOf, limitAttempts, replyWithoutSession } from './sessions/attempts.ts'
import { clientOf } from './sessions/client.ts'
import { signOutContract } from './sessions/contract.ts'
import { limitUnknownTokens, refresh } from './sessions/refresh.ts'
import {
  chooseOrganizationRoute,
  endSessionRoute,
  listDevicesRoute,
  listSessionsRoute,
  removeDeviceRoute,
  signOutEverywhereRoute,
} from './sessions/routes.ts'
import { signOut } from './sessions/sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { stepUp } from './step-up.ts'

/** The operations of the built-in issuer. Those with `attempts` take a password or a code and are rate limited. */
export function signInOperations(issuer: BuiltInIssuer, erasure: ErasureRequestSettings) {
  const attempts = limitAttempts(issuer)
  return {
    signUp: signUpRoute(issuer, attempts),
    confirmSignUp: confirmSignUpRoute(issuer, attempts),
    signIn: signInRoute(issuer, attempts),
    completeSignIn: completeSignInRoute(issuer, attempts),
    passkeySignInOptions: passkeySignInOptionsRoute(issuer, attempts),
    passkeySignIn: passkeySignInRoute(issuer, attempts),
    refresh: refreshRoute(issuer),
    stepUp: stepUpRoute(issuer, attempts),
    passkeyStepUpOptions: passkeyStepUpOptionsRoute(issuer, attempts),
    signOut: signOutRoute(issuer),
    signOutEverywhere: signOutEverywhereRoute(issuer),
    listDevices: listDevicesRoute(issuer),
    removeDevice: removeDeviceRoute(issuer),
    listSessions: listSessionsRoute(issuer),
    endSession: endSessionRoute(issuer),
    chooseOrganization: chooseOrganizationRoute(issuer),
    changePassword: changePasswordRoute(issuer, attempts),
    requestEmailChange: requestEmailChangeRoute(issuer, attempts),
    withdrawEmailChange: withdrawEmailChangeRoute(issuer),
    confirmEmailChange: confirmEmailChangeRoute(issuer, attempts),
    undoEmailChange: undoEmailChangeRoute(issuer, attempts),
    readOwnAccount: readOwnAccountRoute(issuer),
    changeOwnAccount: changeOwnAccountRoute(issuer),
    exportOwnAccount: exportOwnAccountRoute(issuer),
    eraseOwnAccount: eraseOwnAccountRoute(issuer, erasure),
    keepOwnAccount: keepOwnAccountRoute(issuer, attempts),
    listFactors: listFactorsRoute(issuer),
    enrolFactor: enrolFactorRoute(issuer, attempts),
    verifyFactor: verifyFactorRoute(issuer, attempts),
    renameFactor: renameFactorRoute(issuer),
    removeFactor: removeFactorRoute(issuer, attempts),
    renewRecoveryCodes: renewRecoveryCodesRoute(issuer, attempts),
    passkeyOptions: passkeyOptionsRoute(issuer, attempts),
    addPasskey: addPasskeyRoute(issuer, attempts),
    requestRecovery: requestRecoveryRoute(issuer, attempts),
    inspectLink: inspectLinkRoute(issuer, attempts),
    completeRecovery: completeRecoveryRoute(issuer, attempts),
    ...linkPageRoutes(),
    discovery: discoveryRoute(issuer),
    keySet: keySetRoute(issuer),
  }
}

function signUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof signUpContract> {
  return operation(signUpContract, async (input) => {
    const { email, password, invitation, displayName, signIn: opensSession = true } = input.body
    const body = {
      email,
      displayName,
      opensSession,
      ...(password !== undefined && { password: new Secret(password) }),
      ...(invitation !== undefined && { invitation: new Secret(invitation) }),
    }
    const result = await attempts.bySender(input, undefined, (client) => signUp(issuer, body, client))
    if (result === 'created') return replyWithoutSession(input)
    if (result !== 'link_mailed') return result
    input.reply.code(202)
    return {}
  })
}

function signInRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof signInContract> {
  return operation(signInContract, async (input) => {
    const { email, password } = input.body
    const deviceToken = deviceTokenOf(input.body)
    const credentials = { email, password: new Secret(password), deviceToken, proof: optionalCode(input.body) }
    return attempts.signIn(input, deviceToken, (client, calls) => signIn(issuer, credentials, client, calls))
  })
}

function completeSignInRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof completeSignInContract> {
  return operation(completeSignInContract, async (input) => {
    const challenge = new Secret(input.body.challenge)
    const step = { challenge, proof: proofOf(input.body), deviceToken: deviceTokenOf(input.body) }
    const device = deviceAt(challenge, step.deviceToken)
    return attempts.bySender(input, device, (client) => completeSignIn(issuer, step, client))
  })
}

function refreshRoute(issuer: BuiltInIssuer): Operation<typeof refreshContract> {
  const unknownTokens = limitUnknownTokens(issuer)
  return operation(refreshContract, async ({ body, request }) =>
    refresh(issuer, new Secret(body.refresh_token), clientOf(request), unknownTokens),
  )
}

function stepUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof stepUpContract> {
  return operation(stepUpContract, async (input) => {
    const { caller, body } = input
    const password = body.password === undefined ? undefined : new Secret(body.password)
    const proof = password ? optionalProof(body) : proofOf(body)
    return attempts.byAccount(input, (client) => stepUp(issuer, caller, { password, proof }, client))
  })
}

function signOutRoute(issuer: BuiltInIssuer): Operation<typeof signOutContract> {
  return operation(signOutContract, async ({ caller, request }) => signOut(issuer, caller, clientOf(request)))
}
