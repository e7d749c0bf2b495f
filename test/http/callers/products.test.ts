import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startIssuer, type TestIssuer } from '../../support/issuer.ts'
import { type Service, startService } from '../../support/service.ts'

const api = 'https://api.example'
const sharedSecret = 'super-secret-jwt-token-with-at-least-32-characters-long'

/** Real products: the URLs of their documents, their entries, and the claims of their tokens. */
interface Product {
  readonly alg: string
  /** Path of the issuer below its host. */
  readonly path: string
  readonly entry: (issuer: TestIssuer) => object
  /** As in their documentation. `iss`, `iat` and `exp` are added. */
  readonly token: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Other tokens signed by the same issuer, which must be rejected. */
  readonly others: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const uuid = randomUUID()
const none = undefined

const products: Readonly<Record<string, Product>> = {
  supabase: {
    alg: 'ES256',
    path: '/auth/v1',
    entry: ({ name }) => ({ preset: 'supabase', issuer: name, secret: sharedSecret }),
    token: {
      aud: 'authenticated',
      sub: uuid,
      email: 'ada@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'], role: 'admin' },
      user_metadata: { email: 'admin@example.com', email_verified: true, role: 'admin' },
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: 1_786_000_000 }],
      session_id: randomUUID(),
      is_anonymous: false,
    },
    others: {
      'an anonymous sign-in': { is_anonymous: true },
      'the key of the project for servers': { aud: none, sub: none, role: 'service_role' },
      'another audience': { aud: 'anon' },
    },
  },
  auth0: {
    alg: 'RS256',
    path: '/',
    entry: ({ name }) => ({ preset: 'auth0', issuer: name, audience: api }),
    token: {
      sub: 'auth0|65f0c7a2e4b0a1b2c3d4e5f6',
      aud: [api, 'https://acme.eu.auth0.com/userinfo'],
      scope: 'openid profile email',
      azp: 'abcDEF123',
    },
    header: { typ: 'JWT' },
    others: {
      'an ID token': { aud: 'abcDEF123', nonce: 'n-0S6_WzA2Mj', sid: 's1' },
      'an ID token whose client is named like the API': { nonce: 'n-0S6_WzA2Mj' },
      'a token for another API': { aud: 'https://other.example' },
      'the issuer without its slash': { iss: 'STRIP' },
    },
  },
  keycloak: {
    alg: 'RS256',
    path: '/realms/acme',
    entry: ({ name }) => ({ preset: 'keycloak', issuer: name, audience: 'muster' }),
    token: {
      jti: randomUUID(),
      aud: ['muster', 'account'],
      sub: randomUUID(),
      typ: 'Bearer',
      azp: 'front-end',
      sid: randomUUID(),
      acr: '1',
      nonce: 'older releases',
      realm_access: { roles: ['offline_access', 'admin'] },
      resource_access: { account: { roles: ['manage-account'] } },
      scope: 'openid email profile',
      email_verified: false,
      preferred_username: 'ada',
      email: 'ada@example.com',
    },
    header: { typ: 'JWT' },
    others: {
      'a token without the audience mapper': { aud: none },
      'a refresh token': { typ: 'Refresh' },
      'an ID token': { typ: 'ID', aud: 'front-end' },
      'an ID token of a client named like the API': { typ: 'ID' },
      'a logout token': { typ: 'Logout', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
      'another realm': { iss: 'SIBLING' },
    },
  },
  clerk: {
    alg: 'RS256',
    path: '',
    entry: ({ name }) => ({ preset: 'clerk', issuer: name, parties: ['https://app.example.com'] }),
    token: {
      aud: none,
      azp: 'https://app.example.com',
      fva: [7, -1],
      jti: 'c4b2',
      nbf: 1_700_000_000,
      sid: 'sess_2gaMqItOnBmf4eCcvtfgHN0wjJL',
      sts: 'active',
      sub: 'user_2gaMqIZsKFUpUCCvVNwkTT4dSnE',
      v: 2,
    },
    header: { typ: 'JWT', cat: 'cl_B7d4PD111AAA' },
    others: {
      'a session that waits for its second factor': { sts: 'pending' },
      'a token without azp': { azp: none },
      'the token of another site': { azp: 'https://evil.example.com' },
      'azp as a list': { azp: ['https://app.example.com'] },
    },
  },
  entra: {
    alg: 'RS256',
    path: '/8f0e/v2.0',
    entry: ({ name }) => ({ preset: 'entra', issuer: name, audience: '6e74172b-be56-4843-9ff4-e66a39bb12e3' }),
    token: {
      aud: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
      azp: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
      azpacr: '0',
      name: 'Ada Lovelace',
      oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
      preferred_username: 'ada@contoso.example',
      rh: 'I',
      scp: 'access_as_user',
      sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
      tid: '8f0e',
      uti: 'fqiBqXLPj0eQa82S-IYFAA',
      ver: '2.0',
    },
    header: { typ: 'JWT' },
    others: {
      'an ID token, whose audience is the same': { scp: none, nonce: 'x' },
      'an ID token without nonce': { scp: none },
      'a token without oid': { oid: none },
      'another tenant': { iss: 'SIBLING' },
    },
  },
  zitadel: {
    alg: 'RS256',
    path: '',
    entry: ({ name }) => ({ preset: 'zitadel', issuer: name, audience: '237654321' }),
    token: { aud: ['111', '237654321'], sub: '200000000000000001', client_id: '111', jti: 'V2_1', nbf: 1_700_000_000 },
    others: {
      'an ID token': { jti: none, amr: ['pwd'], azp: '111', auth_time: 1_786_000_000 },
      'a token for another project': { aud: ['111'] },
    },
  },
  logto: {
    alg: 'ES384',
    path: '/oidc',
    entry: ({ name }) => ({ preset: 'logto', issuer: name, audience: api }),
    token: { aud: api, sub: 'u1fjv4z9c2', jti: 'j1', client_id: 'abc', scope: 'read' },
    header: { typ: 'at+jwt' },
    others: { 'an ID token': { aud: 'abc', at_hash: 'x' }, 'an ID token for the API': { at_hash: 'x' } },
  },
  cognito: {
    alg: 'RS256',
    path: '/eu-west-1_Abc',
    entry: ({ name }) => ({ preset: 'cognito', issuer: name, parties: ['7f0client'] }),
    token: {
      aud: none,
      sub: randomUUID(),
      client_id: '7f0client',
      token_use: 'access',
      origin_jti: 'o',
      event_id: 'e',
      auth_time: 1_786_000_000,
      username: 'ada',
    },
    others: {
      'an ID token': { token_use: 'id', aud: '7f0client', client_id: none },
      'an ID token with the client': { token_use: 'id' },
      'a token of another client': { client_id: 'other' },
      'a token that does not say its use': { token_use: none },
    },
  },
  'better-auth': {
    alg: 'EdDSA',
    path: '',
    entry: ({ name }) => ({ preset: 'better-auth', issuer: name }),
    token: { aud: 'SELF', sub: randomUUID(), email: 'ada@example.com', email_verified: true, sid: randomUUID() },
    others: { 'another audience': { aud: 'https://other.example' } },
  },
}

const issuers = new Map<string, TestIssuer>()
let service: Service

beforeAll(async () => {
  for (const [name, { alg, path }] of Object.entries(products)) issuers.set(name, await startIssuer({ alg, path }))
  const entries = Object.entries(products).map(([name, { entry }]) => entry(issuerOf(name)))
  service = await startService({ env: { MUSTER_ISSUERS: JSON.stringify(entries) } })
})
afterAll(async () => {
  await service.stop()
  for (const issuer of issuers.values()) await issuer.stop()
})

function issuerOf(name: string): TestIssuer {
  const issuer = issuers.get(name)
  if (!issuer) throw new Error(`no issuer ${name}`)
  return issuer
}

async function tokenOf(name: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const product = products[name]
  const issuer = issuerOf(name)
  const claims: Record<string, unknown> = { ...product?.token, ...change }
  if (claims.aud === 'SELF') claims.aud = issuer.name
  if (claims.iss === 'STRIP') claims.iss = issuer.name.replace(/\/$/, '')
  if (claims.iss === 'SIBLING') claims.iss = `${issuer.name}2`
  return issuer.mint(claims, { header: { ...product?.header } })
}

describe.each(Object.keys(products))('%s', (name) => {
  test('accepts its access token and creates an account without any permission that the token claims', async () => {
    const { status, body } = await service.get('/api/v1/user/data', { token: await tokenOf(name) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ permissions: { provider_keys: ['validate'] }, mfaFactors: [] })
    const list = await service.get('/api/v1/admin/users/fetch', { token: await tokenOf(name) })
    expect(list.status).toBe(403)
  })

  test.each(Object.entries(products[name]?.others ?? {}))('401 token_invalid: %s', async (_what, change) => {
    const { status, body } = await service.get('/api/v1/user/data', { token: await tokenOf(name, change) })
    expect({ status, body }).toMatchObject({ status: 401, body: { code: 'token_invalid' } })
  })
})

test('Supabase during a key migration: the shared secret for HS256, the key set for the others', async () => {
  const issuer = issuerOf('supabase')
  const seconds = Math.floor(Date.now() / 1_000)
  const claims = { ...products.supabase?.token, iss: issuer.name, sub: uuid, iat: seconds, exp: seconds + 600 }
  const signed = (alg: string, secret: string) =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret))
  const good = await service.get('/api/v1/user/data', { token: await signed('HS256', sharedSecret) })
  expect(good.status).toBe(200)
  const jwk = JSON.stringify(issuer.keys[0]?.publicJwk)
  for (const [alg, secret] of [
    ['HS256', jwk],
    ['HS256', `${sharedSecret} `],
    ['HS512', sharedSecret],
  ] as const) {
    const bad = await service.get('/api/v1/user/data', { token: await signed(alg, secret) })
    expect(bad.body, alg).toMatchObject({ code: 'token_invalid' })
  }
})

test('never logs the secret of an issuer', async () => {
  expect(await service.logged()).not.toContain(sharedSecret)
})

test('Entra: identifies accounts by oid, because sub differs between applications', async () => {
  const token = await tokenOf('entra', { sub: 'of another application' })
  await service.get('/api/v1/user/data', { token })
  const rows = await service.sql<{ subject: string }>('select subject from identity where issuer = $1', [
    issuerOf('entra').name,
  ])
  expect(rows).toEqual([{ subject: '690222be-ff1a-4d56-abd1-7e4f7d38e474' }])
})

test('isFirstLogin uses the session claim, otherwise auth_time, otherwise the lifetime of the first token', async () => {
  const first = async (name: string, change: Readonly<Record<string, unknown>>) => {
    const { body } = await service.get('/api/v1/user/data', { token: await tokenOf(name, change) })
    return body && typeof body === 'object' && 'isFirstLogin' in body ? body.isFirstLogin : undefined
  }
  expect(await first('keycloak', { sub: 'x', sid: 's1' })).toBe(true)
  expect(await first('keycloak', { sub: 'x', sid: 's1' })).toBe(true)
  expect(await first('keycloak', { sub: 'x', sid: 's2' })).toBe(false)
  expect(await first('cognito', { sub: 'x', auth_time: 5 })).toBe(true)
  expect(await first('cognito', { sub: 'x', auth_time: 5 })).toBe(true)
  expect(await first('cognito', { sub: 'x', auth_time: 6 })).toBe(false)
  expect(await first('zitadel', { sub: 'x' })).toBe(true)
  expect(await first('zitadel', { sub: 'x', jti: 'renewed' })).toBe(true)
  await service.sql('update account set first_session_until = now() where first_session_until is not null')
  expect(await first('zitadel', { sub: 'x' })).toBe(false)
})
