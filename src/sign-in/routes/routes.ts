import type { Operation } from '../../identity/operation.ts'
import type { Limits } from '../../platform/rate-limit/rate-limits.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { authFactors } from './factors.ts'
import { authFactorsEnrol } from './factors-enrol.ts'
import { authFactorsRemove } from './factors-remove.ts'
import { authFactorsRename } from './factors-rename.ts'
import { authFactorsVerify } from './factors-verify.ts'
import { authPassword } from './password.ts'
import { authRecoveryCodes } from './recovery-codes.ts'
import { authRefresh } from './refresh.ts'
import { authSessions } from './sessions.ts'
import { authSessionsEnd } from './sessions-end.ts'
import { authSignIn } from './sign-in.ts'
import { authSignInSecondStep } from './sign-in-second-step.ts'
import { authSignOut } from './sign-out.ts'
import { authSignOutEverywhere } from './sign-out-everywhere.ts'
import { authSignUp } from './sign-up.ts'
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
