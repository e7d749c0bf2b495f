import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import Provider from 'oidc-provider'
import { newKey } from './issuer.ts'

/** A certified OpenID provider over real HTTP. Its tokens are those of real life. */
export interface OpenIdProvider {
  /** Its address, which is its name as well. */
  readonly url: string
  /** The API that its access tokens are for. */
  readonly api: string
  close(): void
}

interface ProviderOptions {
  readonly clientId: string
  readonly redirectUris: readonly string[]
  /** Answers in place of the page with a form, where the provider wants to know who its user is. */
  readonly interact: (interaction: Interaction) => void
  readonly configuration?: object
}

export interface Interaction {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** `result`: who the user is, or why not. */
  finish(result: object): void
}

const api = 'https://api.example'

export async function startOpenIdProvider(options: ProviderOptions): Promise<OpenIdProvider> {
  const { kid, alg, privateKey } = await newKey('RS256')
  const jwk = { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  answerWith(server, new Provider(url, configurationOf(jwk, options)), options)
  return {
    url,
    api,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function answerWith(server: Server, provider: Provider, { interact }: ProviderOptions): void {
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    const finish = (result: object) => void provider.interactionFinished(request, response, result)
    interact({ request, response, finish })
  })
}

function configurationOf(jwk: object, { clientId, redirectUris, configuration }: ProviderOptions): object {
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'none',
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: { AccessToken: 600, IdToken: 600, RefreshToken: 600, Session: 600, Grant: 600, Interaction: 600 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: { logoutSource: askToSignOut, postLogoutSuccessSource: saySignedOut },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'read', accessTokenFormat: 'jwt', audience: api }),
      },
    },
    loadExistingGrant,
    ...configuration,
  }
}

/** Its own page would load fonts from elsewhere. `form` is what the button sends. */
function askToSignOut(context: { body: string }, form: string): void {
  context.body = `${head}<h1>Sign out?</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`
}

function saySignedOut(context: { body: string }): void {
  context.body = `${head}<h1>Signed out</h1>`
}

const head = '<!doctype html><html lang="en"><title>Issuer</title><link rel="icon" href="data:,">'

interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (grant: object) => Grant }
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

interface Grant {
  addOIDCScope(scope: string): void
  addResourceScope(resource: string, scope: string): void
  save(): Promise<string>
}

/** Its users have agreed to everything. */
async function loadExistingGrant({ oidc: { provider, client, session } }: GrantContext): Promise<Grant> {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid')
  grant.addResourceScope(api, 'read')
  await grant.save()
  return grant
}
