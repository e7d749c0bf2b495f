import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DocumentedOperation, operations, pathOf } from '../../support/openapi.ts'
import { problemOf } from '../../support/problem.ts'
import { type Service, serviceForTest, startService, testInProcess } from '../../support/service.ts'

let service: Service
let token: string
beforeAll(async () => {
  service = await startService()
  token = (await service.person()).token
})
afterAll(() => service.stop())

const validate = '/api/v1/provider/keys/validate'
const routes = [
  ['GET', '/api/v1/user/data'],
  ['GET', '/api/v1/admin/users/fetch'],
  ['POST', validate],
] as const

/** Sends raw bytes and returns everything until the server closes the connection. */
function raw(text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data
      socket.end() // not earlier: Node treats a half-closed connection as disconnected
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(text)
  })
}

const statusesOf = (answer: string) => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

describe('authentication', () => {
  const malformed = [
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer\tx',
    'Bearer a.b',
    'Bearer a.b.c.d.e',
    'Bearer ä.b.c',
    `Bearer ${'.'.repeat(15_000)}`,
    'Bearer a.b.c, Bearer d.e.f',
    'Bearer null',
    'Bearer undefined',
  ]

  test.each(routes)('401 — %s %s without a token, with the bare challenge of RFC 6750 §3.1', async (method, path) => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearerx a.b.c' }]) {
      const answer = await service.call(method, path, { headers, ...(method === 'POST' && { body: {} }) })
      expect(problemOf(answer)).toEqual({ status: 401, code: 'token_missing' })
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="muster"')
    }
  })

  test.each(routes)('401 — %s %s with a malformed token, which the response does not repeat', async (method, path) => {
    for (const authorization of malformed) {
      const answer = await raw(
        `${method} ${path} HTTP/1.1\r\nHost: muster.test\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
      )
      expect(statusesOf(answer), authorization.slice(0, 30)).toEqual([401])
      expect(answer).toMatch(/"code":"token_(malformed|missing)"/)
    }
  })

  test('401 — two Authorization headers, even if the first one is valid', async () => {
    const lines = `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`
    const answer = await raw(`GET /api/v1/user/data HTTP/1.1\r\nHost: muster.test\r\n${lines}Connection: close\r\n\r\n`)
    expect(answer).toContain('"code":"token_malformed"')
  })

  test('200 — the name of the scheme is case-insensitive (RFC 9110 §11.1)', async () => {
    expect((await service.get('/api/v1/user/data', { headers: { authorization: `bEARER ${token}` } })).status).toBe(200)
  })

  test('401 — before the body is parsed', async () => {
    const answer = await service.post(validate, { rawBody: '{broken', headers: { 'content-type': 'application/json' } })
    expect(problemOf(answer)).toEqual({ status: 401, code: 'token_missing' })
  })
})

describe('the body', () => {
  const post = (rawBody: string | Buffer, type = 'application/json') =>
    service.post(validate, { token, rawBody, headers: { 'content-type': type } })

  test('400 body_malformed — broken, empty, not UTF-8, or with members that poison prototypes', async () => {
    const bodies = [
      '{',
      '{"a":1',
      '',
      '{"a":NaN}',
      "{'a':1}",
      '{"a":1}x',
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.from('{"a":1}', 'utf16le'),
      '['.repeat(32),
    ]
    for (const body of bodies)
      expect(problemOf(await post(body)), String(body).slice(0, 40)).toEqual({ status: 400, code: 'body_malformed' })
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('400 input_invalid — names each member that is missing, unknown, of the wrong type or too long', async () => {
    const cases: readonly [unknown, readonly (readonly [string, RegExp])[]][] = [
      [
        {},
        [
          ['/apiKey', /required/],
          ['/keyType', /required/],
        ],
      ],
      [{ apiKey: 1, keyType: 'api_token' }, [['/apiKey', /type string/]]],
      [{ apiKey: '', keyType: 'api_token' }, [['/apiKey', /fewer than 1/]]],
      [{ apiKey: 'x'.repeat(4_097), keyType: 'api_token' }, [['/apiKey', /more than 4096/]]],
      [{ apiKey: 'x', keyType: 'password' }, [['/keyType', /one of: api_token, api_key/]]],
      [{ apiKey: 'x', keyType: 'api_token', email: 'nobody' }, [['/email', /email address/]]],
      [{ apiKey: 'x', keyType: 'api_token', email: null }, [['/email', /type string/]]],
      [{ apiKey: 'x', keyType: 'api_token', 'a/b~c': 1 }, [['/a~1b~0c', /unknown/]]],
      [{ apiKey: 'x', keyType: 'api_token', provider: '' }, [['/provider', /fewer than 1/]]],
      [{ apiKey: 'x', keyType: 'api_token', provider: '😀'.repeat(65) }, [['/provider', /more than 64/]]],
      [[], [['', /type object/]]],
      ['text', [['', /type object/]]],
      [null, [['', /type object/]]],
    ]
    for (const [body, faults] of cases) {
      const answer = await post(JSON.stringify(body))
      expect(problemOf(answer), JSON.stringify(body).slice(0, 60)).toEqual({ status: 400, code: 'input_invalid' })
      for (const [pointer, detail] of faults)
        expect(answer.body).toMatchObject({
          errors: expect.arrayContaining([{ pointer, detail: expect.stringMatching(detail) }]),
        })
    }
  })

  test('lengths count characters, not UTF-16 code units', async () => {
    const answer = await post(JSON.stringify({ apiKey: 'x', keyType: 'api_token', provider: '😀'.repeat(64) }))
    expect(answer.body).not.toMatchObject({ code: 'input_invalid' })
  })

  test('400 — an api_key check without its email points at /email, and calls no provider', async () => {
    const answer = await post(JSON.stringify({ apiKey: 'd3d1443e0adc9c24564c6c5676d679d47e2ca', keyType: 'api_key' }))
    expect(answer.body).toMatchObject({ code: 'input_invalid', errors: [{ pointer: '/email' }] })
  })

  test('413 body_too_large — one byte over the limit, with and without Content-Length', async () => {
    const body = JSON.stringify({ apiKey: 'x'.repeat(20_000), keyType: 'api_token' })
    expect(problemOf(await post(body))).toEqual({ status: 413, code: 'body_too_large' })
    const head = `POST ${validate} HTTP/1.1\r\nHost: muster.test\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    const chunked = await raw(
      `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    )
    expect(chunked).toContain('"code":"body_too_large"')
  })

  test('415 content_type_unsupported — any type but JSON in UTF-8, and validation is never skipped', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json garbage',
      'application/json;charset=utf-7',
      'application/json; charset=latin1',
      'application/jsonx',
      'text/json',
      'application/vnd.api+json',
    ]
    for (const type of types) {
      const answer = await post('{}', type)
      expect(problemOf(answer), type).toEqual({ status: 415, code: 'content_type_unsupported' })
    }
    for (const type of ['APPLICATION/JSON', 'application/json; charset=UTF-8', 'application/json;charset="utf-8"'])
      expect(problemOf(await post('{}', type)), type).toEqual({ status: 400, code: 'input_invalid' })
  })

  /** Ways in which clients send an empty body. */
  const emptyBodies = [
    'Content-Type: application/json\r\nContent-Length: 0\r\n\r\n',
    'Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]
  const writes = operations.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/webhooks/'))
  const withEmptyBody = async (operation: DocumentedOperation, empty: string) => {
    const { token: writer } = await service.person({ role: 'admin' })
    const head = `${operation.method} ${pathOf(operation)} HTTP/1.1\r\nHost: muster.test\r\nAuthorization: Bearer ${writer}\r\nConnection: close\r\n`
    return raw(`${head}${empty}`)
  }

  test('an empty body counts as missing if none is required, with any type and framing', async () => {
    const bodiless = writes.filter(({ body }) => !body)
    expect(bodiless.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['signOut', 'signOutEverywhere', 'disableUser']),
    )
    for (const contract of bodiless)
      for (const empty of emptyBodies)
        expect(statusesOf(await withEmptyBody(contract, empty)), contract.id).not.toContain(415)
    for (const empty of emptyBodies)
      for (const contract of bodiless.filter(({ id }) => id.startsWith('signOut')))
        expect(statusesOf(await withEmptyBody(contract, empty)), contract.id).toEqual([204])
  })

  test('400 body_malformed — an empty or missing body that is required', async () => {
    const needs = writes.filter(({ body, permission }) => body && (permission === 'public' || permission === 'caller'))
    for (const contract of needs)
      for (const empty of [...emptyBodies, '\r\n'])
        expect(await withEmptyBody(contract, empty), contract.id).toMatch(/"code":"(body_malformed|route_unknown)"/)
  })

  test('no random body causes a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (json) => {
        const answer = await post(json)
        expect(answer.status, json).toBe(400)
      }),
      { numRuns: 60 },
    )
  })
})

describe('URL and method', () => {
  test('404 route_unknown', async () => {
    for (const path of [
      '/console',
      '/api',
      '/api/v1/user/data/',
      '/api/v1/user/Data',
      '/api/v2/user/data',
      `/${'x'.repeat(3_000)}`,
    ])
      expect(problemOf(await service.get(path, { token })), path).toEqual({ status: 404, code: 'route_unknown' })
  })

  test('501 — a method that does not exist, and CONNECT', async () => {
    for (const line of ['FOO /api/v1/user/data', 'CONNECT example.com:443']) {
      const answer = await raw(`${line} HTTP/1.1\r\nHost: muster.test\r\n\r\n`)
      expect(statusesOf(answer), line).toEqual([501])
      expect(answer).toContain('application/problem+json')
    }
  })

  test('414 and 431 — a URL or headers over the limit', async () => {
    expect(problemOf(await service.get(`/api/v1/user/data?x=${'y'.repeat(9_000)}`, { token })).code).toBe(
      'uri_too_long',
    )
    const long = await raw(`GET /livez HTTP/1.1\r\nHost: muster.test\r\nX-Long: ${'y'.repeat(17_000)}\r\n\r\n`)
    expect(statusesOf(long)).toEqual([431])
    expect(long).toContain('"code":"headers_too_large"')
    const many = await raw(
      `GET /livez HTTP/1.1\r\nHost: muster.test\r\n${'X-A: 1\r\n'.repeat(250)}Connection: close\r\n\r\n`,
    )
    expect(many).toContain('"code":"headers_too_large"')
  })

  test.each([
    ['60,000 percent signs', `/api/v1/users/${'%'.repeat(60_000)}`],
    ['30,000 segments', `/${'a/'.repeat(30_000)}`],
    ['12,000 parameters', `/livez?${Array.from({ length: 12_000 }, (_, n) => `${n.toString(36)}&`).join('')}`],
  ])('414 — %s', async (_, path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: muster.test\r\nConnection: close\r\n\r\n`)
    expect(statusesOf(answer)).toEqual([414])
    expect(answer).toContain('"code":"uri_too_long"')
  })

  test('400 — a parameter that is sent 1,000 times is reported once', async () => {
    const answer = await service.get(`/api/v1/user/data?${'orgId=a&'.repeat(1_000)}`, { token })
    expect(answer.body).toMatchObject({
      code: 'input_invalid',
      errors: [{ parameter: 'orgId', detail: 'must be sent once' }],
    })
  })

  test('400 and one response only — requests that proxies and servers may parse differently', async () => {
    const smuggled = [
      'POST /livez HTTP/1.1\r\nHost: muster.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /readyz HTTP/1.1\r\nHost: muster.test\r\n\r\n',
      'POST /livez HTTP/1.1\r\nHost: muster.test\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdefGET /readyz HTTP/1.1\r\nHost: muster.test\r\n\r\n',
      'POST /livez HTTP/1.1\r\nHost: muster.test\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost : x\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: muster.test\r\nX: a\r\n b\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: muster.test\r\nX: a\0b\r\n\r\n',
      'GET /livez HTTP/1.1\r\n\r\n',
    ]
    for (const text of smuggled) {
      const answer = await raw(text)
      expect(statusesOf(answer), JSON.stringify(text).slice(0, 80)).toEqual([400])
      expect(answer).toContain('application/problem+json')
    }
  })
})

test('only the first 50 elements of Accept and Accept-Encoding count', async () => {
  const coding = async (acceptEncoding: string) => {
    const head = `GET /openapi.json HTTP/1.1\r\nHost: muster.test\r\nAccept-Encoding: ${acceptEncoding}\r\nConnection: close\r\n\r\n`
    return /^content-encoding: (\w+)/im.exec(await raw(head))?.[1]
  }
  expect(await coding(`${'x,'.repeat(49)}gzip`)).toBe('gzip')
  expect(await coding(`${'x,'.repeat(50)}gzip`)).toBeUndefined()
  const admin = await service.person({ role: 'admin' })
  const statusOf = async (accept: string) =>
    (await service.get('/api/v1/admin/users/fetch', { token: admin.token, headers: { accept } })).status
  expect(await statusOf(`${'x/y,'.repeat(49)}text/csv`)).toBe(200)
  expect(await statusOf(`${'x/y,'.repeat(50)}text/csv`)).toBe(406)
})

describe('every response', () => {
  test('has the security headers, whatever its status', async () => {
    const answers = [
      await service.get('/api/v1/user/data', { token }),
      await service.get('/api/v1/user/data'),
      await service.get('/nowhere'),
      await service.post(validate, { token, body: {} }),
    ]
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'cache-control': expect.stringMatching(/^(no-store|private, no-cache)$/),
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        'strict-transport-security': expect.stringMatching(/max-age=31536000/),
        'x-content-type-options': 'nosniff',
      })
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect(headers['set-cookie']).toBeUndefined()
      expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
    }
  })

  test('that is a page sends no referrer, is isolated from other windows, and loads and sends nothing elsewhere', async () => {
    const { status, headers } = await service.get('/docs')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "script-src 'self'"]),
    )
    // The page loads nothing from other origins and sends nothing to them.
    for (const directive of policy) expect(directive).toMatch(/^[a-z-]+( ('none'|'self'|'unsafe-inline'|data:))+$/)
  })

  test('has one log line with its request ID, without query and token', async () => {
    const answer = await service.get('/api/v1/user/data?orgId=secret-thing', { token })
    const id = String(answer.headers['x-request-id'])
    const logged = await service.logged()
    const lines = logged.split('\n').filter((line) => line.includes(id))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ method: 'GET', path: '/api/v1/user/data', status: 400 })
    expect(logged).not.toContain('secret-thing')
    expect(logged).not.toContain(token)
  })
})

test('415 — a body with a Content-Encoding, whatever its content', async () => {
  const body = JSON.stringify({ apiKey: 'x', keyType: 'api_token' })
  const admin = await service.person({ role: 'admin' })
  for (const [coding, rawBody] of [
    ['gzip', gzipSync(body)],
    ['gzip', body],
    ['zstd', body],
    ['identity, gzip', body],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    const answer = await service.post(validate, { token: admin.token, headers, rawBody })
    expect(problemOf(answer)).toEqual({ status: 415, code: 'content_type_unsupported' })
    expect(answer.headers['accept-encoding']).toBe('identity')
  }
})

testInProcess(
  'a connection that never speaks gets 408 and is freed, also where the client never closes its side',
  async () => {
    const alone = await serviceForTest()
    const connections = () =>
      new Promise<number>((resolve) => alone.app.server.getConnections((_error, count) => resolve(count)))
    const socket = connect({ port: Number(new URL(alone.url).port), host: '127.0.0.1', allowHalfOpen: true })
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => undefined)
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 408/)
    await expect.poll(connections).toBe(0)
    socket.destroy()
  },
)

test('500 — the response to an unexpected error hides the cause, which the log has', async () => {
  const broken = await serviceForTest()
  const caller = await broken.person()
  await broken.sql('alter table membership rename to canary_of_the_schema')
  const answer = await broken.get('/api/v1/user/data', { token: caller.token })
  expect(problemOf(answer)).toEqual({ status: 500, code: 'internal_error' })
  expect(Object.keys(Object(answer.body)).sort()).toEqual(['code', 'instance', 'status', 'title', 'type'])
  expect(JSON.stringify(answer)).not.toMatch(/membership|relation|select|\.ts/)
  expect(await broken.logged()).toContain('membership')
})
