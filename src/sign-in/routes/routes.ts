import type { Operation } from '../../identity/operation.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { limitAttempts, type SignInLimits } from './attempts.ts'
import {
  enrolFactorRoute,
  listFactorsRoute,
  removeFactorRoute,
  renameFactorRoute,
  renewRecoveryCodesRoute,
  verifyFactorRoute,
} from './factors.ts'
import { changePasswordRoute, endSessionRoute, listSessionsRoute, signOutEverywhereRoute } from './sessions.ts'
import { completeSignInRoute, refreshRoute, signInRoute, signOutRoute, signUpRoute } from './sign-in.ts'
import { discoveryRoute, keySetRoute } from './well-known.ts'

/** The operations of the built-in issuer. Those with `attempts` are rate limited: each of them takes a password or a code. */
export function signInOperations(issuer: BuiltInIssuer, limits: SignInLimits): readonly Operation[] {
  const attempts = limitAttempts(limits)
  return [
    signUpRoute(issuer, attempts),
    signInRoute(issuer, attempts),
    completeSignInRoute(issuer, attempts),
    refreshRoute(issuer),
    signOutRoute(issuer),
    signOutEverywhereRoute(issuer),
    listSessionsRoute(issuer),
    endSessionRoute(issuer),
    changePasswordRoute(issuer, attempts),
    listFactorsRoute(issuer),
    enrolFactorRoute(issuer, attempts),
    verifyFactorRoute(issuer, attempts),
    renameFactorRoute(issuer),
    removeFactorRoute(issuer, attempts),
    renewRecoveryCodesRoute(issuer, attempts),
    discoveryRoute(issuer),
    keySetRoute(issuer),
  ]
}
