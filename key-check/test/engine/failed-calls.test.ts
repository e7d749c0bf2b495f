import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { pino } from 'pino'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { headers, reset, startHttp2Server } from '../../../test/support/http2-server.ts'
import {
  expiredCert,
  otherHostCert,
  trustUntrusted,
  untrustedCert,
  untrustedKey,
} from '../../../test/support/untrusted-tls.ts'
import type { EngineOptions } from '../../engine/check.ts'
import type { Call } from '../../index.ts'
import { openForTest, resultOf } from './harness.ts'

/** Must appear in no line. */
const canary = 'Zx9canaryQ7w8eR6t5yU4i3o2p1aSdFgHjK'

let lines: { level: number; msg: string; failures?: number; call: Call }[]
let raw: string
beforeEach(() => {
  lines = []
  raw = ''
})

const log = pino(
  { level: 'trace' },
  {
    write(line: string) {
      raw += line
      lines.push(JSON.parse(line))
    },
  },
)

const failed = () => lines.filter(({ msg }) => msg === 'provider call failed')

async function opened(url: string, options: Omit<EngineOptions, 'log'> = {}) {
  const keyChecks = await openForTest({ ...options, log, baseUrls: { vultr: url, ...options.baseUrls } })
  return (apiKey = canary) => resultOf(keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey }))
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const withCert = (cert: string, more = {}) =>
  listening(createHttpsServer({ key: untrustedKey, cert, ...more }, (_, response) => response.end('{}')))

/** Checks one key and returns the failed call that was logged. */
async function failureAt(protocol: 'http' | 'https', host: string, limits: EngineOptions['limits'] = {}) {
  const check = await opened(`${protocol}://${host}`, { limits })
  expect(await check()).toMatchObject({ outcome: 'undetermined' })
  expect(raw).not.toContain(canary)
  const [line] = failed()
  expect(line).toMatchObject({ level: 40, call: { provider: 'vultr', host } })
  return `${line?.call.phase} ${line?.call.errorCode}`
}

describe('the log names phase, code and host', () => {
  test('of a self-signed certificate', async () => {
    expect(await failureAt('https', await withCert(untrustedCert))).toBe('tls DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  test('of a certificate of an unknown authority', async () => {
    const phase = await failureAt('https', await withCert(otherHostCert))
    expect(phase).toBe('tls UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  })

  test.each([
    ['an expired certificate', expiredCert, 'CERT_HAS_EXPIRED'],
    ['a certificate for another host', otherHostCert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('of %s', async (_, cert, code) => {
    trustUntrusted()
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await failureAt('https', await withCert(cert))).toBe(`tls ${code}`)
  })

  test('of a server that speaks only TLS 1.1', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
    expect(await failureAt('https', await withCert(untrustedCert, old))).toMatch(/^tls ERR_SSL_/)
  })

  test('of plain HTTP on a TLS port', async () => {
    const host = await listening(createHttpServer((_, response) => response.end('{}')))
    expect(await failureAt('https', host)).toMatch(/^tls ERR_SSL_/)
  })

  test('of a reset in the TLS handshake', async () => {
    const host = await listening(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))
    expect(await failureAt('https', host)).toBe('tls ECONNRESET')
  })

  test('of a server that never answers the TLS handshake', async () => {
    const host = await listening(createServer())
    expect(await failureAt('https', host, { connectTimeoutMs: 200 })).toBe('tls UND_ERR_CONNECT_TIMEOUT')
  })

  test.each(['http', 'https'] as const)('of a closed port over %s', async (protocol) => {
    const server = createServer()
    const host = await listening(server)
    server.close()
    await once(server, 'close')
    expect(await failureAt(protocol, host)).toBe('connect ECONNREFUSED')
  })

  test('of a host that does not exist', async () => {
    // Without a name server, Node reports EAI_AGAIN.
    expect(await failureAt('https', 'nowhere.invalid')).toMatch(/^dns (ENOTFOUND|EAI_AGAIN)$/)
  })

  test('of a reset before the head of the answer', async () => {
    const host = await listening(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))
    expect(await failureAt('http', host)).toBe('headers ECONNRESET')
  })

  test.each([
    ['of known length', { 'content-length': 100 }],
    ['in chunks', {}],
  ])('of a reset within a body %s', async (_, head) => {
    const server = createHttpServer((request, response) => {
      response.writeHead(200, head)
      response.write('{"domains":', () => setTimeout(() => request.socket.resetAndDestroy(), 20))
    })
    expect(await failureAt('http', await listening(server))).toMatch(
      /^body (ECONNRESET|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE)$/,
    )
  })

  test.each([
    ['before the head', 'headers', (stream: number) => reset(stream, 2)],
    ['within the body', 'body', (stream: number) => Buffer.concat([headers(stream, 200), reset(stream, 2)])],
  ])('of a stream of HTTP/2 that ends %s', async (_, phase, bytes) => {
    trustUntrusted()
    const server = await startHttp2Server((socket, stream) => socket.write(bytes(stream)))
    onTestFinished(() => {
      vi.restoreAllMocks()
      server.close()
    })
    expect(await failureAt('https', server.url.slice('https://'.length))).toMatch(
      new RegExp(`^${phase} (ERR_HTTP2_STREAM_ERROR|STREAM_CUT)$`),
    )
  })

  test('of an answer that never starts', async () => {
    const host = await listening(createHttpServer())
    expect(await failureAt('http', host, { headersTimeoutMs: 100 })).toBe('headers UND_ERR_HEADERS_TIMEOUT')
  })

  test('of a body that is not finished at the deadline', async () => {
    const server = createHttpServer((_, response) => {
      response.writeHead(200, { 'content-length': 10_000 })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    expect(await failureAt('http', await listening(server), { deadlineMs: 300 })).toBe('body DEADLINE')
  })

  test('of a compressed answer, which nobody asked for', async () => {
    const server = createHttpServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    expect(await failureAt('http', await listening(server))).toBe('headers CONTENT_ENCODING')
  })
})

test('a failed call is one line with the key in no member, and a successful call is none', async () => {
  let isGood = false
  const server = createHttpServer((request, response) => {
    if (isGood) response.setHeader('content-type', 'application/json').end('{"domains":[],"meta":{"total":0}}')
    // An answer that echoes the key, cut off.
    else
      response
        .writeHead(200, { 'content-length': 1_000 })
        .write(String(request.headers.authorization), () => request.socket.destroy())
  })
  const host = await listening(server)
  // The operator's address may contain a secret too.
  const check = await opened(`http://user:${canary}@${host}/${canary}`)
  expect(await check()).toMatchObject({ outcome: 'undetermined' })
  expect(failed()[0]).toMatchObject({
    failures: 1,
    call: {
      provider: 'vultr',
      keyType: 'api_key',
      shape: 'any',
      outcome: expect.stringMatching(/^(unreachable|unexpected_answer)$/),
      isBusy: false,
      durationMs: expect.any(Number),
      errorCode: expect.stringMatching(/^(ECONNRESET|UND_ERR_\w+)$/),
      phase: 'body',
      host,
    },
  })
  expect(raw).not.toContain(canary)
  isGood = true
  lines = []
  expect(await check('another')).toEqual({ outcome: 'valid', code: 'valid' })
  expect(lines.map(({ msg }) => msg)).toEqual(['provider called'])
  expect(lines[0]?.call).not.toHaveProperty('host')
  expect(lines[0]?.call).not.toHaveProperty('phase')
})

test('the same failure is logged once a minute with the number of calls; another failure is logged immediately', async () => {
  let nowMs = 0
  let reaction = (socket: Socket) => socket.resetAndDestroy()
  const host = await listening(createServer((socket) => socket.once('data', () => reaction(socket))))
  // The circuit breaker stays closed: only the log is tested.
  const limits = { cacheInvalidMs: 0, breakerCallsMin: 1_000 }
  const check = await opened(`http://${host}`, { limits, now: () => nowMs })
  const checkTimes = async (times: number) => {
    for (let n = 0; n < times; n += 1) await check(`key-${nowMs}-${n}`)
  }
  await checkTimes(3)
  // Each check calls twice, because a reset may pass.
  expect(lines.filter(({ msg }) => msg === 'provider called')).toHaveLength(6)
  expect(failed().map(({ failures }) => failures)).toEqual([1])
  nowMs += 59_999
  await checkTimes(1)
  expect(failed()).toHaveLength(1)
  nowMs += 1
  await checkTimes(1)
  expect(failed().map(({ failures }) => failures)).toEqual([1, 8])
  reaction = (socket) => socket.end('not HTTP')
  await checkTimes(1)
  expect(failed().map(({ call }) => call.errorCode)).toEqual([
    'ECONNRESET',
    'ECONNRESET',
    expect.stringMatching(/^HPE_/),
  ])
})

test('a host that contains a part of the credential is logged with a star', async () => {
  const keyChecks = await openForTest({ log })
  const parts = { clientToken: 'c', accessToken: 'a', host: 'akab-canary.luna.akamaiapis.net' }
  await resultOf(keyChecks.check({ provider: 'akamai', keyType: 'api_key', apiKey: canary, parts }))
  expect(failed()[0]?.call).toMatchObject({ provider: 'akamai', host: '*.luna.akamaiapis.net', phase: 'dns' })
  expect(raw).not.toContain('akab-canary')
})

test('a check that its caller abandons is no failure of the provider', async () => {
  const server = createHttpServer()
  const host = await listening(server)
  const keyChecks = await openForTest({ log, baseUrls: { vultr: `http://${host}` } })
  const controller = new AbortController()
  server.once('request', () => controller.abort())
  const check = keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey: canary, signal: controller.signal })
  await expect(check).rejects.toThrow()
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toMatchObject({ level: 20, call: { errorCode: 'ABANDONED' } })
})
