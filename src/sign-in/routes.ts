import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { acrOf } from '../identity/level.ts'
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
  passkeyOptionsRoute,
  passkeySignInOptionsRoute,
  passkeySignInRoute,
  passkeyStepUpOptionsRoute,
  removeFactorRoute,
  renameFactorRoute,
  renewRecoveryCodesRoute,
  verifyFactorRoute,
} from './factors/routes.ts'
import { completeSignIn, optionalCode, optionalProof, proofOf, stepUp } from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { type Discovery, discoveryContract, keySetContract } from './keys/contract.ts'
import { signingAlgorithm } from './keys/signing-keys.ts'
import {
  completeRecoveryRoute,
  confirmEmailChangeRoute,
  confirmSignUpRoute,
  inspectLinkRoute,
  linkPageRoutes,
  requestEmailChangeRoute,
  requestRecoveryRoute,
  undoEmailChangeRoute,
  withdrawEmailChangeRoute,
} from './links/routes.ts'
import { type Attempts, limitAttempts, replyWithoutSession } from './sessions/attempts.ts'
import { clientOf, deviceAt, deviceTokenOf, listDevices, removeDevice } from './sessions/client.ts'
import {
  chooseOrganizationContract,
  endSessionContract,
  listDevicesContract,
  listSessionsContract,
  removeDeviceContract,
  signOutContract,
  signOutEverywhereContract,
} from './sessions/contract.ts'
import { limitUnknownTokens, refresh } from './sessions/refresh.ts'
import { chooseOrganization, endSession, listSessions, signOut, signOutEverywhere } from './sessions/sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'

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

export function listSessionsRoute(issuer: BuiltInIssuer): Operation<typeof listSessionsContract> {
  return operation(listSessionsContract, async ({ caller }) => ({ sessions: await listSessions(issuer, caller) }))
}

export function endSessionRoute(issuer: BuiltInIssuer): Operation<typeof endSessionContract> {
  return operation(endSessionContract, async ({ caller, params, request }) =>
    endSession(issuer, caller, params.sessionId, clientOf(request)),
  )
}

export function signOutEverywhereRoute(issuer: BuiltInIssuer): Operation<typeof signOutEverywhereContract> {
  return operation(signOutEverywhereContract, async ({ caller, request }) =>
    signOutEverywhere(issuer, caller, clientOf(request)),
  )
}

export function chooseOrganizationRoute(issuer: BuiltInIssuer): Operation<typeof chooseOrganizationContract> {
  return operation(chooseOrganizationContract, async ({ caller, body }) =>
    chooseOrganization(issuer, caller, body.orgId),
  )
}

export function listDevicesRoute(issuer: BuiltInIssuer): Operation<typeof listDevicesContract> {
  return operation(listDevicesContract, async ({ caller }) => ({ devices: await listDevices(issuer.database, caller) }))
}

export function removeDeviceRoute(issuer: BuiltInIssuer): Operation<typeof removeDeviceContract> {
  return operation(removeDeviceContract, async ({ caller, params, request }) =>
    removeDevice(issuer.database, caller, params.deviceId, clientOf(request)),
  )
}

/** Shorter than the time between a key's publication and its first use. */
const cacheControl = 'public, max-age=300'

export function discoveryRoute(issuer: BuiltInIssuer): Operation<typeof discoveryContract> {
  const document = discoveryOf(issuer.settings.issuer)
  return operation(discoveryContract, async ({ reply }) => {
    reply.header('cache-control', cacheControl)
    return document
  })
}

export function keySetRoute(issuer: BuiltInIssuer): Operation<typeof keySetContract> {
  return operation(keySetContract, async ({ reply }) => {
    reply.header('cache-control', cacheControl)
    return { keys: await issuer.keys.published() }
  })
}

/**
 * The discovery document (RFC 8414 §2; the members of OpenID Connect Discovery §3 that apply). There are no OAuth
 * clients, so there is no authorization endpoint, no token endpoint and no ID token.
 */
function discoveryOf(issuer: string): Discovery {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'sid', 'auth_time', 'acr', 'amr', 'client_id', 'name'],
    acr_values_supported: Object.values(acrOf),
  }
}
