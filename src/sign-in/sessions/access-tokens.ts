import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { currentOrganizationOf } from '../../identity/account.ts'
import { builtInIssuer } from '../../identity/issuers/names.ts'
import type { Issuer } from '../../identity/issuers/verify-token.ts'
import { acrOf } from '../../identity/level.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Aal } from '../../platform/http/caller.ts'
import { type SigningKeys, signingAlgorithm } from '../keys/signing-keys.ts'
import type { AccessToken } from './contract.ts'

export interface TokenSettings {
  /** The public address: the claim `iss`. */
  readonly issuer: string
  readonly accessTokenSeconds: number
}

/** The session claims of an access token. */
export interface TokenSession {
  readonly id: string
  readonly accountId: string
  readonly amr: readonly string[]
  readonly aal: Aal
  /** Time of the last authentication, in seconds since 1970. */
  readonly authTime: number
  readonly displayName: string | null
  /** The current organization. Null without an organization. */
  readonly organizationId: string | null
}

/** The columns of the session `s` that a statement returns as a `TokenSession`. */
export const tokenSessionColumns = `
  s.id, s.account_id as "accountId", s.amr, s.aal, floor(extract(epoch from s.proved_at))::float8 as "authTime",
  (select n.display_name from account n where n.id = s.account_id) as "displayName",
  ${currentOrganizationOf('s.account_id', 's.organization_id')} as "organizationId"`

/** The audience of every token of the built-in issuer: this service. */
const builtInAudience = 'muster'

/** Signs an access token (RFC 9068 §2) for a session. */
export async function mintAccessToken(
  { keys, settings, now }: { readonly keys: SigningKeys; readonly settings: TokenSettings; readonly now: Clock },
  session: TokenSession,
): Promise<AccessToken> {
  const { kid, privateKey } = await keys.signing()
  const issuedAt = Math.floor(now() / 1_000)
  const token = await new SignJWT({
    sid: session.id,
    auth_time: session.authTime,
    acr: acrOf[session.aal],
    amr: session.amr,
    client_id: builtInAudience,
    ...(session.displayName !== null && { name: session.displayName }),
    ...(session.organizationId !== null && { org_id: session.organizationId }),
  })
    .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid })
    .setIssuer(settings.issuer)
    .setAudience(builtInAudience)
    .setSubject(session.accountId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + settings.accessTokenSeconds)
    .sign(privateKey)
  return { access_token: token, token_type: 'Bearer', expires_in: settings.accessTokenSeconds }
}

/** The built-in issuer's entry in the registry of trusted issuers. */
export function builtInEntry(keys: SigningKeys, settings: TokenSettings): Issuer {
  return {
    issuer: settings.issuer,
    identityIssuer: builtInIssuer,
    keys: keys.verifying,
    algorithms: [signingAlgorithm],
    audience: builtInAudience,
    typ: 'at+jwt',
    claims: { subject: 'sub', session: 'sid', email: 'email', emailVerified: 'email_verified', name: 'name' },
    lifetimeMaxSeconds: settings.accessTokenSeconds,
    // Another node may have issued the token, and clocks differ.
    futureToleranceSeconds: 60,
    isBuiltIn: true,
    trustsEmail: false,
    provisions: false,
    refusesIdTokens: true,
  }
}
