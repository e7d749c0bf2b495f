import type { Limits } from '../access/limits.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import type { Operation } from '../server/operation.ts'
import { authFactors } from './auth-factors.ts'
import { authFactorsEnrol } from './auth-factors-enrol.ts'
import { authFactorsRemove } from './auth-factors-remove.ts'
import { authFactorsRename } from './auth-factors-rename.ts'
import { authFactorsVerify } from './auth-factors-verify.ts'
import { authPassword } from './auth-password.ts'
import { authRecoveryCodes } from './auth-recovery-codes.ts'
import { authRefresh } from './auth-refresh.ts'
import { authSessions } from './auth-sessions.ts'
import { authSessionsEnd } from './auth-sessions-end.ts'
import { authSignIn } from './auth-sign-in.ts'
import { authSignInSecondStep } from './auth-sign-in-second-step.ts'
import { authSignOut } from './auth-sign-out.ts'
import { authSignOutEverywhere } from './auth-sign-out-everywhere.ts'
import { authSignUp } from './auth-sign-up.ts'
import { wellKnownJwks } from './well-known-jwks.ts'
import { wellKnownOpenidConfiguration } from './well-known-openid-configuration.ts'

/** Everything that the built-in issuer answers. Whatever takes a password or a code is limited. */
export function authOperations(issuer: BuiltInIssuer, limits: SignInLimits): readonly Operation[] {
  return [
    authSignUp(issuer, limits),
    authSignIn(issuer, limits),
    authSignInSecondStep(issuer, limits),
    authRefresh(issuer),
    authSignOut(issuer),
    authSignOutEverywhere(issuer),
    authSessions(issuer),
    authSessionsEnd(issuer),
    authPassword(issuer, limits),
    authFactors(issuer),
    authFactorsEnrol(issuer, limits),
    authFactorsVerify(issuer, limits),
    authFactorsRename(issuer),
    authFactorsRemove(issuer, limits),
    authRecoveryCodes(issuer, limits),
    wellKnownOpenidConfiguration(issuer),
    wellKnownJwks(issuer),
  ]
}

export type SignInLimits = Limits<'sign-ins'>
