import { createHash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Interaction, type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.ts'
import { type Service, startService } from '../../support/service.ts'

/** Uses a certified OpenID provider with code flow and PKCE, so the tokens are realistic. */
const redirectUri = 'https://app.example/signed-in'
let provider: OpenIdProvider
let service: Service

beforeAll(async () => {
  // No login form: every user is Ada.
  const interact = ({ finish }: Interaction) => finish({ login: { accountId: 'ada' } })
  provider = await startOpenIdProvider({ clientId: 'app', redirectUris: [redirectUri], interact })
  const entry = { issuer: provider.url, algorithms: ['RS256'], audience: provider.api, typ: 'at+jwt' }
  service = await startService({ env: { MUSTER_ISSUERS: JSON.stringify([entry]) } })
})
afterAll(async () => {
  await service.stop()
  provider.close()
})

/** Follows redirects to the application, with cookies, like a browser. */
async function signIn(): Promise<{ access_token: string; id_token: string }> {
  const { url, api } = provider
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

test('accepts the access token of a sign-in and rejects its ID token', async () => {
  const tokens = await signIn()
  const answer = await service.get('/api/v1/user/data', { token: tokens.access_token })
  expect(answer).toMatchObject({ status: 200, body: { permissions: { provider_keys: ['validate'] } } })
  expect(await service.sql('select issuer, subject from identity')).toEqual([{ issuer: provider.url, subject: 'ada' }])
  expect(await service.get('/api/v1/user/data', { token: tokens.id_token })).toMatchObject({
    status: 401,
    body: { code: 'token_invalid' },
  })
})
