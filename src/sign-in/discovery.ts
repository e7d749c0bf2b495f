import type { Discovery } from './contract/well-known.ts'
import { signingAlgorithm } from './keys/signing-keys.ts'

/**
 * What other services need to take this issuer's tokens (RFC 8414 §2; OpenID Connect Discovery §3 in the members that apply).
 * There are no OAuth clients, so there is no authorization and no token endpoint, and no ID token is ever made.
 */
export function discoveryOf(issuer: string): Discovery {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [],
    grant_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'sid', 'amr', 'client_id'],
  }
}
