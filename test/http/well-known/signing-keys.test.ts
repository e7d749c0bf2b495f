import { randomBytes } from 'node:crypto'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { muster } from '../../support/operator.ts'
import { problemOf } from '../../support/problem.ts'
import type { Service, ServiceOptions } from '../../support/service.ts'
import { codeAt, enrol, newClient, startIssuer } from '../../support/test-client.ts'

async function nodeOf(options: ServiceOptions = {}): Promise<Service> {
  const service = await startIssuer(options)
  onTestFinished(() => service.stop())
  return service
}

/** The id of the new key. */
const rotate = async (service: Service, more = '') =>
  JSON.parse(await muster(service, `keys rotate-signing --json ${more}`.trim())).kid as string
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const publishedBy = async (service: Service) => {
  const { body } = await service.get('/.well-known/jwks.json')
  return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}
const status = async (service: Service, token: string) => (await service.get('/api/v1/user/data', { token })).status

/** Moves the times of the keys into the past. */
const pass = (service: Service, interval: string) =>
  service.sql(
    `update signing_key set signs_from = signs_from - $1::interval,
       verifies_until = case when verifies_until = 'infinity' then verifies_until else verifies_until - $1::interval end`,
    [interval],
  )

test('another service verifies tokens with only the discovery document', async () => {
  const service = await nodeOf()
  const { token } = await service.person()
  const { body, headers } = await service.get('/.well-known/openid-configuration')
  const document = body as { issuer: string; jwks_uri: string }
  expect(document.issuer).toBe('http://muster.test')
  expect(document.jwks_uri).toBe('http://muster.test/.well-known/jwks.json')
  expect(headers['cache-control']).toBe('public, max-age=300')
  const keys = createRemoteJWKSet(new URL(new URL(document.jwks_uri).pathname, service.url))
  const { payload } = await jwtVerify(token, keys, { issuer: document.issuer, audience: 'muster', typ: 'at+jwt' })
  expect(payload).toMatchObject({ client_id: 'muster', jti: expect.any(String), sid: expect.any(String) })
})

test('the key set contains no private key, and the database stores it encrypted', async () => {
  const service = await nodeOf()
  const { text } = await service.get('/.well-known/jwks.json')
  expect(JSON.parse(text).keys[0]).not.toHaveProperty('d')
  const [row] = await service.sql<{ private: Buffer; kid: string }>('select kid, private from signing_key')
  expect(row?.private.toString('latin1')).not.toMatch(/"d"|OKP/)
})

test('nodes that start at the same time create one key', async () => {
  const first = await nodeOf()
  await first.sql('delete from signing_key')
  await Promise.all(Array.from({ length: 4 }, () => nodeOf({ on: first.fresh })))
  expect(await first.sql('select 1 from signing_key')).toHaveLength(1)
})

test('a new key is published 10 minutes before it signs; the old key verifies until its last token has expired', async () => {
  const service = await nodeOf()
  const other = await nodeOf({ on: service.fresh })
  const person = await service.person()
  const old = kidOf(person.token)
  const kid = await rotate(service)

  expect(await publishedBy(other)).toEqual(expect.arrayContaining([old, kid]))
  const before = await newClient(other).openSession(person)
  expect(kidOf(before.access)).toBe(old)

  await pass(service, '10 minutes')
  for (const node of [service, other]) node.clock.advanceSeconds(600)
  const after = await newClient(other).openSession(person)
  expect(kidOf(after.access)).toBe(kid)
  // Neither node was restarted.
  for (const node of [service, other])
    for (const token of [person.token, before.access, after.access]) expect(await status(node, token)).toBe(200)
  expect(await publishedBy(service)).toHaveLength(2)

  await pass(service, '61 minutes')
  expect(await publishedBy(service)).toEqual([kid])
})

test('rejects a rotation with rotation_running while a new key does not sign yet', async () => {
  const service = await nodeOf()
  await rotate(service)
  await expect(rotate(service)).rejects.toThrow('The last rotation is not finished.')
  await pass(service, '10 minutes')
  await rotate(service)
  expect(await service.sql(`select 1 from audit_event where action = 'signing_key.rotated'`)).toHaveLength(2)
})

test('accepts tokens of the new key immediately after an immediate rotation', async () => {
  const service = await nodeOf()
  const person = await service.person()
  expect(await status(service, person.token)).toBe(200)
  await rotate(service, '--withdraw-old')
  expect(await status(service, (await newClient(service).openSession(person)).access)).toBe(200)
})

test('accepts tokens of a key that another node created after five seconds', async () => {
  const service = await nodeOf()
  const other = await nodeOf({ on: service.fresh })
  const person = await service.person()
  expect(await status(other, person.token)).toBe(200)
  await rotate(service, '--withdraw-old')
  const { access } = await newClient(service).openSession(person)
  other.clock.advanceSeconds(5)
  expect(await status(other, access)).toBe(200)
})

test('a withdrawn key stops verifying within two minutes, and sessions continue with the new one', async () => {
  const service = await nodeOf()
  const person = await service.person()
  const { access, refresh } = await newClient(service).openSession(person)
  expect(await status(service, access)).toBe(200)
  const kid = await rotate(service, '--withdraw-old')
  service.clock.advanceSeconds(120)
  expect(problemOf(await service.get('/auth/sessions', { token: access }))).toEqual({
    status: 401,
    code: 'token_invalid',
  })
  expect(await publishedBy(service)).toEqual([kid])
  const answer = await newClient(service).post('/auth/refresh', { refresh_token: refresh })
  expect(kidOf((answer.body as { access_token: string }).access_token)).toBe(kid)
})

test('the encryption key can be replaced: both keys decrypt, and after re-encryption the old one is unused', async () => {
  const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const before = await startIssuer({ env: { MUSTER_ENCRYPTION_KEY: oldKey } })
  onTestFinished(() => before.stop())
  const person = await before.person()
  await enrol(before, person.token, { password: person.password })
  const { body } = await newClient(before).post(
    '/auth/factors',
    { friendlyName: 'Later', password: person.password },
    person.token,
  )
  const later = body as { id: string; secret: string }

  const env = { MUSTER_ENCRYPTION_KEY: newKey, MUSTER_ENCRYPTION_KEY_PREVIOUS: oldKey }
  const during = await nodeOf({ on: before.fresh, env })
  const { token } = await during.person()
  expect(await status(during, token)).toBe(200)
  expect(await muster(during, 'keys re-encrypt')).toBe('Re-encrypted 3 secrets.\n')
  expect(await muster(during, 'keys re-encrypt')).toBe('Re-encrypted 0 secrets.\n')

  const after = await nodeOf({ on: before.fresh, env: { MUSTER_ENCRYPTION_KEY: newKey } })
  const code = codeAt(later.secret, after.clock.now())
  const answer = await newClient(after).post(`/auth/factors/${later.id}/verify`, { code }, person.token)
  expect(answer.status).toBe(200)
})
