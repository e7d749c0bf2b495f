import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { acrOf } from '../identity/level.ts'
import { operations } from '../identity/operation.ts'
import { optionalSecret, Secret } from '../platform/secret.ts'
import { accountOperations } from './account/routes.ts'
import { signInContracts } from './contract.ts'
import { factorOperations, passkeyOperations } from './factors/routes.ts'
import { completeSignIn, optionalCode, optionalProof, proofOf, stepUp } from './factors/second-proof.ts'
import type { BuiltInIssuer } from './issuer.ts'
import { type Discovery, keyContracts } from './keys/contract.ts'
import { signingAlgorithm } from './keys/signing-keys.ts'
import { linkOperations } from './links/routes.ts'
import { type Attempts, limitAttempts } from './sessions/attempts.ts'
import { clientOf, deviceAt, listDevices, removeDevice } from './sessions/client.ts'
import { sessionContracts } from './sessions/contract.ts'
import { limitUnknownTokens, refresh } from './sessions/refresh.ts'
import { chooseOrganization, endSession, listSessions, signOut, signOutEverywhere } from './sessions/sessions.ts'
import { signIn } from './sign-in.ts'
import { confirmSignUp, signUp } from './sign-up.ts'

/** The operations of the built-in issuer. Those with `attempts` take a password or a code and are rate limited. */
export function signInOperations(issuer: BuiltInIssuer, erasure: ErasureRequestSettings) {
  const attempts = limitAttempts(issuer)
  return {
    ...authentication(issuer, attempts),
    ...sessionOperations(issuer),
    ...accountOperations(issuer, attempts, erasure),
    ...factorOperations(issuer, attempts),
    ...passkeyOperations(issuer, attempts),
    ...linkOperations(issuer, attempts),
    ...keyOperations(issuer),
  }
}

function authentication(issuer: BuiltInIssuer, attempts: Attempts) {
  const unknownTokens = limitUnknownTokens(issuer)
  return operations(signInContracts, {
    signUp: async (input) => {
      const { email, password, invitation, displayName, signIn: opensSession = true } = input.body
      const secrets = { password: optionalSecret(password), invitation: optionalSecret(invitation) }
      const body = { email, displayName, opensSession, ...secrets }
      const result = await attempts.bySender(input, undefined, (client) => signUp(issuer, body, client))
      if (typeof result === 'object') return result
      input.reply.code(result === 'created' ? 204 : 202)
      return result === 'created' ? undefined : {}
    },
    confirmSignUp: async (input) => {
      const { token, password, displayName, signIn: opensSession = true } = input.body
      const confirmation = { token: new Secret(token), password: new Secret(password), displayName, opensSession }
      const result = await attempts.bySender(input, undefined, (client) => confirmSignUp(issuer, confirmation, client))
      if (result !== 'created') return result
      input.reply.code(204)
      return undefined
    },
    signIn: async (input) => {
      const { email, password, device_token } = input.body
      const deviceToken = optionalSecret(device_token)
      const credentials = { email, password: new Secret(password), deviceToken, proof: optionalCode(input.body) }
      return attempts.signIn(input, deviceToken, (client, calls) => signIn(issuer, credentials, client, calls))
    },
    completeSignIn: async (input) => {
      const challenge = new Secret(input.body.challenge)
      const deviceToken = optionalSecret(input.body.device_token)
      const step = { challenge, proof: proofOf(input.body), deviceToken }
      return attempts.bySender(input, deviceAt(challenge, deviceToken), (client) =>
        completeSignIn(issuer, step, client),
      )
    },
    refresh: async ({ body, request }) =>
      refresh(issuer, new Secret(body.refresh_token), clientOf(request), unknownTokens),
    stepUp: async (input) => {
      const { caller, body } = input
      const password = optionalSecret(body.password)
      const proof = password ? optionalProof(body) : proofOf(body)
      return attempts.byAccount(input, (client) => stepUp(issuer, caller, { password, proof }, client))
    },
  })
}

function sessionOperations(issuer: BuiltInIssuer) {
  const { database } = issuer
  return operations(sessionContracts, {
    signOut: async ({ caller, request }) => signOut(database, caller, clientOf(request)),
    signOutEverywhere: async ({ caller, request }) => signOutEverywhere(database, caller, clientOf(request)),
    listSessions: async ({ caller }) => ({
      sessions: await listSessions(issuer, caller),
    }),
    endSession: async ({ caller, params, request }) =>
      endSession(database, caller, params.sessionId, clientOf(request)),
    listDevices: async ({ caller }) => ({
      devices: await listDevices(database, caller),
    }),
    removeDevice: async ({ caller, params, request }) =>
      removeDevice(database, caller, params.deviceId, clientOf(request)),
    chooseOrganization: async ({ caller, body }) => chooseOrganization(issuer, caller, body.orgId),
  })
}

/** Shorter than the time between a key's publication and its first use. */
const cacheControl = 'public, max-age=300'

function keyOperations({ keys, settings }: BuiltInIssuer) {
  const document = discoveryOf(settings.issuer)
  return operations(keyContracts, {
    discovery: async ({ reply }) => {
      reply.header('cache-control', cacheControl)
      return document
    },
    keySet: async ({ reply }) => {
      reply.header('cache-control', cacheControl)
      return { keys: await keys.published() }
    },
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
