import type { ErasureSettings } from './identity/erase-account.ts'
import { route } from './identity/mount.ts'
import type { Operation } from './identity/operation.ts'
import type { Database } from './platform/database/database.ts'
import type { RateLimits } from './platform/rate-limit/rate-limits.ts'
import type { BuiltInIssuer } from './sign-in/issuer.ts'
import { relatedOrigins } from './sign-in/passkeys/passkey-settings.ts'
import { giveRecoveryLink } from './sign-in/recovery/give-recovery-link.ts'
import { relatedOriginsRoute } from './sign-in/routes/passkeys.ts'
import { signInOperations } from './sign-in/routes/routes.ts'
import { adminUserRecovery } from './users/recovery-route.ts'

interface SignInParts {
  readonly database: Database
  readonly limits: RateLimits<'sign-ins' | 'device-sign-ins'>
  readonly erasure: ErasureSettings
}

/** The part of the table in app.ts that the built-in issuer adds. */
export function signInTable(issuer: BuiltInIssuer, { database, limits, erasure }: SignInParts): readonly Operation[] {
  const auth = signInOperations(issuer, limits, erasure)
  const { passkeys } = issuer.settings
  const related = passkeys ? relatedOrigins(passkeys) : []
  const recovery = adminUserRecovery(database, (rows, link) => giveRecoveryLink(issuer, rows, link))
  return [
    route('POST /api/v1/admin/users/{userId}/recovery', 'users:recover', recovery),

    route('POST /auth/sign-up', 'public', auth.signUp),
    route('POST /auth/sign-up/confirm', 'public', auth.confirmSignUp),
    route('POST /auth/sign-in', 'public', auth.signIn),
    route('POST /auth/sign-in/second-step', 'public', auth.completeSignIn),
    route('POST /auth/sign-in/passkey/options', 'public', auth.passkeySignInOptions),
    route('POST /auth/sign-in/passkey', 'public', auth.passkeySignIn),
    route('POST /auth/refresh', 'public', auth.refresh),
    route('POST /auth/step-up', 'caller', auth.stepUp),
    route('POST /auth/step-up/passkey/options', 'caller', auth.passkeyStepUpOptions),
    route('POST /auth/sign-out', 'caller', auth.signOut),
    route('POST /auth/sign-out-everywhere', 'caller', auth.signOutEverywhere),
    route('GET /auth/devices', 'caller', auth.listDevices),
    route('DELETE /auth/devices/{deviceId}', 'caller', auth.removeDevice),
    route('GET /auth/sessions', 'caller', auth.listSessions),
    route('DELETE /auth/sessions/{sessionId}', 'caller', auth.endSession),
    route('PUT /auth/password', 'caller', auth.changePassword),
    route('POST /auth/email', 'caller', auth.requestEmailChange),
    route('DELETE /auth/email', 'caller', auth.withdrawEmailChange),
    route('POST /auth/email/confirm', 'public', auth.confirmEmailChange),
    route('POST /auth/email/undo', 'public', auth.undoEmailChange),
    route('GET /auth/account', 'caller', auth.readOwnAccount),
    route('PATCH /auth/account', 'caller', auth.changeOwnAccount),
    route('GET /auth/account/export', 'caller', auth.exportOwnAccount),
    route('POST /auth/account/erase', 'caller', auth.eraseOwnAccount),
    route('POST /auth/account/keep', 'public', auth.keepOwnAccount),
    route('GET /auth/factors', 'caller', auth.listFactors),
    route('POST /auth/factors', 'caller', auth.enrolFactor),
    route('POST /auth/factors/{factorId}/verify', 'caller', auth.verifyFactor),
    route('PATCH /auth/factors/{factorId}', 'caller', auth.renameFactor),
    route('POST /auth/factors/{factorId}/remove', 'caller', auth.removeFactor),
    route('POST /auth/recovery-codes', 'caller', auth.renewRecoveryCodes),
    route('POST /auth/passkeys/options', 'caller', auth.passkeyOptions),
    route('POST /auth/passkeys', 'caller', auth.addPasskey),
    route('POST /auth/recovery', 'public', auth.requestRecovery),
    route('POST /auth/links/inspect', 'public', auth.inspectLink),
    route('POST /auth/recovery/complete', 'public', auth.completeRecovery),
    route('GET /auth/link', 'public', auth.linkPage),
    route('GET /auth/link/page.js', 'public', auth.linkScript),
    route('GET /auth/link/page.css', 'public', auth.linkStyle),
    route('GET /.well-known/openid-configuration', 'public', auth.discovery),
    route('GET /.well-known/jwks.json', 'public', auth.keySet),
    ...(related.length > 0 ? [route('GET /.well-known/webauthn', 'public', relatedOriginsRoute(related))] : []),
  ]
}
