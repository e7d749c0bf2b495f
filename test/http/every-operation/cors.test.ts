import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { exchange } from '../../support/raw-http.ts'
import {
  type Answer,
  type Call,
  type Service,
  serviceForTest,
  startService,
  testInProcess,
} from '../../support/service.ts'

const origin = 'https://app.example.com'
const local = 'http://localhost:5173'
const unlisted = [
  'https://app.example.com.evil',
  'https://evil.example.com',
  'https://app.example.com:8443',
  'http://app.example.com',
  'HTTPS://APP.EXAMPLE.COM',
  'null',
  `${origin}, ${origin}`,
]
const corsEnv = {
  MUSTER_ALLOWED_ORIGINS: `${origin}, ${local}`,
  MUSTER_METRICS_TOKEN: 'a-token-of-sixteen-characters',
  STRIPE_SECRET_KEY: 'sk_test_cors',
  STRIPE_WEBHOOK_SECRET: 'whsec_cors',
}
const userData = '/api/v1/user/data'

let service: Service
beforeAll(async () => {
  service = await startService({ env: corsEnv })
})
afterAll(() => service.stop())

const readable = {
  'access-control-allow-origin': origin,
  'access-control-expose-headers':
    'Acted-By, Content-Disposition, Deprecation, ETag, Link, Location, Muster-Read, RateLimit, RateLimit-Policy, Retry-After, Sunset, Total-Count, WWW-Authenticate, X-Request-Id',
}

function corsOf({ headers }: Pick<Answer, 'headers'>): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))
}

function from(page: string, call: Call = {}): Call {
  return { ...call, headers: { origin: page, ...call.headers } }
}

function preflight(path: string, page = origin, method = 'PUT'): Promise<Answer> {
  const asked = { 'access-control-request-method': method, 'access-control-request-headers': 'authorization' }
  return service.call('OPTIONS', path, from(page, { headers: asked }))
}

describe('a page of an allowed origin', () => {
  test('reads the answer of every operation; a page of any other origin reads none', async () => {
    // Paddle and Polar are not configured.
    for (const operation of operations.filter(({ path }) => !/paddle|polar/.test(path))) {
      const { method, path } = operation
      const isClosed = /^\/(webhooks|console)\//.test(path) || path === '/metrics'
      const target = pathOf(operation)
      const answer = await service.call(method, target, from(origin))
      expect(corsOf(answer), `${method} ${path}`).toEqual(isClosed ? {} : readable)
      expect(answer.headers.vary, `${method} ${path}`).toMatch(/\bOrigin\b/)
      const others = await Promise.all(unlisted.map((page) => service.call(method, target, from(page))))
      for (const other of others) {
        expect(corsOf(other), `${method} ${path}`).toEqual({})
        expect(other.status).toBe(answer.status)
      }
    }
  })

  test('reads fresh, cached and unchanged responses, streams, documents and problems', async () => {
    const { token } = await service.person({ role: 'admin' })
    const ask = async (path: string, call: Call = {}, method = 'GET') => {
      const { status, headers } = await service.call(method, path, from(local, { token, ...call }))
      return { status, origin: headers['access-control-allow-origin'], vary: headers.vary, etag: String(headers.etag) }
    }
    const fresh = await ask(userData)
    const seen = [
      fresh,
      await ask(userData),
      await ask(userData, { headers: { 'if-none-match': fresh.etag } }),
      await ask('/api/v1/admin/users/fetch'),
      await ask('/openapi.json'),
      await ask('/openapi.json', {}, 'HEAD'),
      await ask('/api/v1/admin/users/fetch?limit=0'),
      await ask(userData, { token: 'a.b.c' }),
      await ask('/nowhere'),
      await ask(userData, {}, 'DELETE'),
      await ask('/api/v1/provider/keys/validate', { body: { apiKey: 'x'.repeat(20_000) } }, 'POST'),
      await ask('/livez', { headers: { 'x-long': 'y'.repeat(17_000) } }),
      await ask(userData, { headers: { host: 'other.example' } }),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 304, 200, 200, 200, 400, 401, 404, 405, 413, 431, 421])
    for (const answer of seen)
      expect(answer).toMatchObject({ origin: local, vary: expect.stringMatching(/\bOrigin\b/) })
    expect(seen[1]?.vary).toBe('Origin, Authorization, Act-As')
  })

  testInProcess('reads that it calls too often, and that the service is not ready', async () => {
    const limited = await serviceForTest({ env: { ...corsEnv, MUSTER_READS_PER_MINUTE: '1' } })
    const { token } = await limited.person()
    await limited.get(userData, { token })
    const late = await limited.get(userData, from(origin, { token }))
    expect(problemOf(late)).toMatchObject({ status: 429 })
    limited.drain()
    const draining = await limited.get('/readyz', from(origin))
    expect(draining.status).toBe(503)
    for (const answer of [late, draining]) expect(corsOf(answer)).toEqual(readable)
  })

  test('reads the problem of the parser if a body breaks off', async () => {
    const head = `POST /auth/sign-in HTTP/1.1\r\nHost: muster.test\r\nOrigin: ${origin}\r\n`
    const body = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n'
    const [answer] = await exchange(service.url, head + body)
    expect(answer).toMatchObject({ status: 400, headers: readable })
  })

  test('is never allowed to send cookies', async () => {
    const answers = [await service.get(userData, from(origin)), await preflight(userData)]
    for (const { headers } of answers) expect(headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('a preflight request', () => {
  test('204 — lists the methods of the path and the allowed headers, for two hours', async () => {
    const answer = await preflight('/api/v1/admin/users/0197b2a4-6d00-7cc3-98c4-dc0c0c07398f/role')
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expect(corsOf(answer)).toEqual({
      ...readable,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers':
        'Act-As, Authorization, Cache-Control, Content-Type, If-Match, If-None-Match, Idempotency-Key',
      'access-control-max-age': '7200',
    })
    expect(String(answer.headers.vary).split(', ').sort()).toEqual([
      'Access-Control-Request-Headers',
      'Access-Control-Request-Method',
      'Origin',
    ])
    expect((await preflight('/auth/factors')).headers['access-control-allow-methods']).toBe('GET, POST, HEAD')
  })

  test('counts against no limit, and is logged at debug level only', async () => {
    const answer = await preflight('/api/v1/providers?preflight=1')
    expect(answer.headers).not.toHaveProperty('ratelimit')
    const lines = (await service.logged())
      .split('\n')
      .filter((line) => line.includes(String(answer.headers['x-request-id'])))
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 20 })
  })

  test('405 or 404 like any OPTIONS — from another origin, to a path without CORS, or without the preflight headers', async () => {
    for (const page of unlisted) expect(problemOf(await preflight(userData, page))).toMatchObject({ status: 405 })
    const refused = [
      await preflight('/webhooks/stripe', origin, 'POST'),
      await preflight('/metrics', origin, 'GET'),
      await preflight('/console/session', origin, 'POST'),
      await service.call('OPTIONS', userData),
      await service.call('OPTIONS', userData, from(origin)),
    ]
    for (const answer of refused) expect(problemOf(answer)).toEqual({ status: 405, code: 'method_not_allowed' })
    const unknown = await preflight('/nowhere')
    expect(problemOf(unknown)).toEqual({ status: 404, code: 'route_unknown' })
    for (const answer of [...refused, unknown])
      expect(corsOf(answer)).not.toHaveProperty('access-control-allow-methods')
  })
})

test('without MUSTER_CORS_ORIGINS no response has CORS headers, and OPTIONS is an unknown method', async () => {
  const plain = await serviceForTest()
  const { token } = await plain.person()
  const answer = await plain.get(userData, from(origin, { token }))
  expect(corsOf(answer)).toEqual({})
  expect(answer.headers.vary).toBe('Authorization, Act-As')
  expect(problemOf(await plain.call('OPTIONS', userData, from(origin)))).toMatchObject({ status: 405 })
})
