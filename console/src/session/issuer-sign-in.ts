import * as oauth from 'oauth4webapi'
import { type AskedIssuer, type IssuerReturn, keepAsked } from './issuer-storage.ts'
import type { IssuerFaultReason, SignInIssuer } from './session-state.ts'

/** A session with an issuer of `MUSTER_ISSUERS`. Its tokens are in the memory of this page, and nowhere else. */
export interface IssuerSession {
  readonly accessToken: string
  /** The next access token; nothing where the issuer gives none without its user. */
  renew(): Promise<string | undefined>
  /** Gives the refresh token back. Returns where the user ends the session at the issuer itself, if it has such a page. Never rejects. */
  end(): Promise<string | undefined>
}

/** Why there is no session: in a word for the screen, and in that of the issuer. */
export class IssuerFault extends Error {
  readonly reason: IssuerFaultReason
  readonly code: string | undefined

  constructor(reason: IssuerFaultReason, options: { readonly cause: unknown; readonly code?: string }) {
    super(`The sign-in failed: ${reason}.`, { cause: options.cause })
    this.name = 'IssuerFault'
    this.reason = reason
    this.code = options.code
  }
}

export interface AskOptions extends Pick<AskedIssuer, 'isResumed'> {
  /** Whether the user has to prove again who they are. */
  readonly isFresh?: boolean
}

/** Sends the browser to the issuer: authorization code with PKCE (RFC 7636, RFC 9700 §2.1.1). */
export async function askIssuer(issuer: SignInIssuer, { isResumed, isFresh = false }: AskOptions): Promise<void> {
  const { authorization_endpoint: endpoint } = await discover(issuer)
  if (endpoint === undefined) throw new IssuerFault('unreachable', { cause: 'no authorization endpoint' })
  const asked = {
    issuer: issuer.issuer,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    hash: location.hash,
    isResumed,
  }
  const address = new URL(endpoint)
  const parameters: Readonly<Record<string, string>> = {
    ...issuer.parameters,
    client_id: issuer.clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: issuer.scopes.join(' '),
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(asked.codeVerifier),
    code_challenge_method: 'S256',
    ...(isFresh && { prompt: 'login' }),
    ...(isFresh && issuer.acrValues.length > 0 && { acr_values: issuer.acrValues.join(' ') }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  keepAsked(asked)
  // A resumed session leaves no entry in the history from which “Back” would lead to the issuer again.
  if (isResumed) location.replace(address)
  else location.assign(address)
}

/** Exchanges what the issuer has answered. Throws an `IssuerFault`. */
export async function completeSignIn(
  issuer: SignInIssuer,
  { parameters, asked }: { readonly parameters: IssuerReturn['parameters']; readonly asked: AskedIssuer },
): Promise<IssuerSession> {
  const server = await discover(issuer)
  const client = clientOf(issuer)
  try {
    const answer = oauth.validateAuthResponse(server, client, parameters, asked.state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      answer,
      redirectUri(),
      asked.codeVerifier,
      { ...requestOptions(issuer), additionalParameters: resourceOf(issuer) },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: asked.nonce,
      requireIdToken: true,
    })
    return sessionOf({ issuer, server, client }, tokens)
  } catch (error) {
    throw faultOf(error)
  }
}

interface Place {
  readonly issuer: SignInIssuer
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
}

function sessionOf({ issuer, server, client }: Place, first: oauth.TokenEndpointResponse): IssuerSession {
  let refreshToken = first.refresh_token
  return {
    accessToken: first.access_token,
    async renew() {
      if (refreshToken === undefined) return undefined
      const options = { ...requestOptions(issuer), additionalParameters: resourceOf(issuer) }
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options)
      try {
        const next = await oauth.processRefreshTokenResponse(server, client, response)
        refreshToken = next.refresh_token ?? refreshToken
        return next.access_token
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw error
      }
    },
    async end() {
      const token = refreshToken
      refreshToken = undefined
      if (token !== undefined && server.revocation_endpoint !== undefined)
        await oauth
          .revocationRequest(server, client, oauth.None(), token, requestOptions(issuer))
          .catch(() => undefined)
      return endAddress(server, client)
    },
  }
}

/** OpenID Connect RP-Initiated Logout §2. Without the ID token, which would stand in the address, the issuer asks its user first. */
function endAddress({ end_session_endpoint: endpoint }: oauth.AuthorizationServer, client: oauth.Client) {
  if (endpoint === undefined || !URL.canParse(endpoint)) return undefined
  const address = new URL(endpoint)
  address.searchParams.set('client_id', client.client_id)
  return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : undefined
}

/** The endpoints of the issuer, from the document that it publishes under its own name (OpenID Connect Discovery §4.3). */
async function discover(issuer: SignInIssuer): Promise<oauth.AuthorizationServer> {
  try {
    const name = new URL(issuer.issuer)
    const response = await oauth.discoveryRequest(name, { algorithm: 'oidc', ...requestOptions(issuer) })
    const server = await oauth.processDiscoveryResponse(name, response)
    if (server.issuer !== issuer.issuer) throw new Error('The document is of another issuer.')
    return server
  } catch (cause) {
    throw new IssuerFault('unreachable', { cause })
  }
}

/** The service allows http for issuers of the own machine, or of a network that its operator trusts. */
function requestOptions({ issuer }: SignInIssuer) {
  return { [oauth.allowInsecureRequests]: issuer.startsWith('http:'), signal: () => AbortSignal.timeout(15_000) }
}

function clientOf({ clientId }: SignInIssuer): oauth.Client {
  return { client_id: clientId }
}

/** RFC 8707 §2.2. */
function resourceOf({ parameters: { resource } }: SignInIssuer): Record<string, string> {
  return resource === undefined ? {} : { resource }
}

/** Exactly the one that is registered at the issuer. */
function redirectUri(): string {
  return `${location.origin}/`
}

function faultOf(cause: unknown): IssuerFault {
  if (cause instanceof oauth.AuthorizationResponseError)
    return new IssuerFault(cause.error === 'access_denied' ? 'denied' : 'refused', { cause, code: cause.error })
  if (cause instanceof oauth.ResponseBodyError) return new IssuerFault('refused', { cause, code: cause.error })
  if (cause instanceof oauth.OperationProcessingError) return new IssuerFault('mismatch', { cause })
  return new IssuerFault('unreachable', { cause })
}
