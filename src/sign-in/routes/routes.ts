import type { ErasureRequestSettings } from '../../identity/erase-account.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { linkPageRoutes } from '../recovery/link-page.ts'
import {
  confirmEmailChangeRoute,
  confirmSignUpRoute,
  requestEmailChangeRoute,
  undoEmailChangeRoute,
  withdrawEmailChangeRoute,
} from './addresses.ts'
import { limitAttempts, type SignInLimits } from './attempts.ts'
import { listDevicesRoute, removeDeviceRoute } from './devices.ts'
import {
  enrolFactorRoute,
  listFactorsRoute,
  removeFactorRoute,
  renameFactorRoute,
  renewRecoveryCodesRoute,
  verifyFactorRoute,
} from './factors.ts'
import {
  changeOwnAccountRoute,
  eraseOwnAccountRoute,
  exportOwnAccountRoute,
  keepOwnAccountRoute,
  readOwnAccountRoute,
} from './own-account.ts'
import {
  addPasskeyRoute,
  passkeyOptionsRoute,
  passkeySignInOptionsRoute,
  passkeySignInRoute,
  passkeyStepUpOptionsRoute,
} from './passkeys.ts'
import { completeRecoveryRoute, inspectLinkRoute, requestRecoveryRoute } from './recovery.ts'
import { changePasswordRoute, endSessionRoute, listSessionsRoute, signOutEverywhereRoute } from './sessions.ts'
import { completeSignInRoute, refreshRoute, signInRoute, signOutRoute, signUpRoute, stepUpRoute } from './sign-in.ts'
import { discoveryRoute, keySetRoute } from './well-known.ts'

/** The operations of the built-in issuer. Those with `attempts` are rate limited: each of them takes a password or a code. */
export function signInOperations(issuer: BuiltInIssuer, limits: SignInLimits, erasure: ErasureRequestSettings) {
  const attempts = limitAttempts(limits)
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
