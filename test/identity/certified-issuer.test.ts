import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import Provider from 'oidc-provider'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey } from '../support/issuer.ts'
import { type Service, startService } from '../support/service.ts'

/** A certified OpenID provider signs people in with code flow and PKCE; its tokens are those of real life. */
const api = 'https://api.example'
const redirectUri = 'https://app.example/signed-in'
let server: Server
let url: string
let service: Service

beforeAll(async () => {
  const { kid, alg, privateKey } = await newKey('RS256')
  const jwk = { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, configuration(jwk))
  const answer = provider.callback()
  server.on('request', (incoming, response) => {
    // In place of a page with a form: whoever comes is Ada.
    if (!incoming.url?.startsWith('/interaction/')) return answer(incoming, response)
    void provider.interactionFinished(incoming, response, { login: { accountId: 'ada' } })
  })
  const entry = { issuer: url, algorithms: ['RS256'], audience: api, typ: 'at+jwt' }
  service = await startService({ env: { MUSTER_ISSUERS: JSON.stringify([entry]) } })
})
afterAll(async () => {
  await service.stop()
  server.closeAllConnections()
  server.close()
})

function configuration(jwk: object): object {
  return {
    clients: [
      { client_id: 'app', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none', response_types: ['code'] },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: { AccessToken: 600, IdToken: 600, Session: 600, Grant: 600, Interaction: 600 },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'read', accessTokenFormat: 'jwt', audience: api }),
      },
    },
    async loadExistingGrant(context: {
      oidc: {
        provider: { Grant: new (grant: object) => Grant }
        client: { clientId: string }
        session: { accountId: string }
      }
    }) {
      const { provider, client, session } = context.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid')
      grant.addResourceScope(api, 'read')
      await grant.save()
      return grant
    },
  }
}

interface Grant {
  addOIDCScope(scope: string): void
  addResourceScope(resource: string, scope: string): void
  save(): Promise<string>
}

/** Follows redirects as a browser does, with its cookies, up to the application. */
async function signIn(): Promise<{ access_token: string; id_token: string }> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid read',
    resource: api,
    nonce: 'n1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const cookies = new Map<string, string>()
  let location = `${url}/auth?${query}`
  for (let step = 0; step < 8 && !location.startsWith(redirectUri); step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { headers, body } = await request(location, { headers: { cookie } })
    await body.dump()
    for (const line of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    location = new URL(String(headers.location), url).href
  }
  const code = new URL(location).searchParams.get('code') ?? ''
  const answer = await request(`${url}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'app',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      resource: api,
    }).toString(),
  })
  return (await answer.body.json()) as { access_token: string; id_token: string }
}

test('the access token of a sign-in is taken; the ID token of the same sign-in is not', async () => {
  const tokens = await signIn()
  const answer = await service.get('/api/v1/user/data', { token: tokens.access_token })
  expect(answer).toMatchObject({ status: 200, body: { permissions: { provider_keys: ['validate'] } } })
  expect(await service.sql('select issuer, subject from identity')).toEqual([{ issuer: url, subject: 'ada' }])
  expect(await service.get('/api/v1/user/data', { token: tokens.id_token })).toMatchObject({
    status: 401,
    body: { code: 'token_invalid' },
  })
})
