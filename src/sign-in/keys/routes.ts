import { acrOf } from '../../identity/level.ts'
import { type Operation, operation } from '../../identity/operation.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { type Discovery, discoveryContract, keySetContract } from './contract.ts'
import { signingAlgorithm } from './signing-keys.ts'

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
