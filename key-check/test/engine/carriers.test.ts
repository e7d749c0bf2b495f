import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createSecureServer, type Http2Session } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { answer, type Reaction, reset, startHttp2Server } from '../../../test/support/http2-server.ts'
import { trustUntrusted, untrustedCert, untrustedKey } from '../../../test/support/untrusted-tls.ts'
import { type Connections, openConnections } from '../../engine/connections.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { provider } from '../../engine/provider.ts'
import cloudflare from '../../providers/cloudflare.ts'
import { startHarness } from './harness.ts'

beforeAll(trustUntrusted)
afterAll(() => void vi.restoreAllMocks())

const tls = { key: untrustedKey, cert: untrustedCert }

async function opened(server: Server, protocol: string, limits = {}): Promise<Connections> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The trust boundary to Node: a TCP server has an address of this type.
  const { port } = server.address() as AddressInfo
  const connections = openConnections(new URL(`${protocol}://127.0.0.1:${port}`), true, {
    limits: { ...defaultLimits, ...limits },
  })
  onTestFinished(async () => {
    await connections.close()
    server.close()
  })
  return connections
}

const get = () =>
  ({
    method: 'GET',
    path: '/',
    headers: {},
    body: null,
    signal: new AbortController().signal,
    onHead: () => undefined,
  }) as const

describe('over HTTP/2', () => {
  /** Answers each call after 50 ms with the length and the body. Counts connections and the most parallel calls on one. */
  async function startEcho() {
    const sessions = new Set<Http2Session>()
    const echo = createSecureServer(tls, async (request, response) => {
      const body = await text(request)
      setTimeout(() => response.end(`${request.headers['content-length']} ${body}`), 50)
    })
    const seen = { connections: 0, callsAtOnce: 0 }
    echo.on('session', (session) => {
      seen.connections += 1
      sessions.add(session.once('close', () => sessions.delete(session)))
      let underWay = 0
      session.on('stream', (stream) => {
        underWay += 1
        seen.callsAtOnce = Math.max(seen.callsAtOnce, underWay)
        stream.once('close', () => {
          underWay -= 1
        })
      })
    })
    return { connections: await opened(echo, 'https'), seen, sessions }
  }

  test('sends a whole body with its length in bytes, and no length without a body', async () => {
    const { connections } = await startEcho()
    expect(await connections.call({ ...get(), method: 'POST', body: 'käse=1' })).toMatchObject({ text: '7 käse=1' })
    expect(await connections.call(get())).toMatchObject({ status: 200, text: 'undefined ' })
  })

  test('40 parallel calls without a connection use two: 32 the first, the others the second', async () => {
    const { connections, seen } = await startEcho()
    const answers = await Promise.all(Array.from({ length: 40 }, () => connections.call(get())))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    expect(seen).toEqual({ connections: 2, callsAtOnce: 32 })
  })

  test('a late failure on an old connection does not end newer connections', async () => {
    const waiting: (() => void)[] = []
    const server = await startHttp2Server((socket, stream) => void socket.write(answer(stream, 200, {})))
    const breaks: Reaction = (socket, stream) => void waiting.push(() => socket.write(reset(stream, 2)))
    server.next(breaks, breaks)
    const connections = openConnections(new URL(server.url), true, { limits: defaultLimits })
    onTestFinished(async () => {
      await connections.close()
      server.close()
    })
    const calls = [connections.call(get()), connections.call(get())]
    const ends = calls.map((call) => expect(call).rejects.toThrow())
    await expect.poll(() => waiting.length).toBe(2)
    for (const [index, breakIt] of waiting.entries()) {
      breakIt()
      await ends[index]
      expect(await connections.call(get())).toMatchObject({ status: 200 })
    }
    expect(server.seen).toEqual({ connections: 2, calls: 4 })
  })

  test('closing also closes a connection that is still being opened', async () => {
    const early = await startEcho()
    const call = early.connections.call(get()).then(
      () => 'answered',
      () => 'failed',
    )
    await early.connections.close()
    expect(await call).toBe('failed')
    const kept = await startEcho()
    await kept.connections.call(get())
    expect(kept.sessions.size).toBe(1)
    await kept.connections.close()
    await expect.poll(() => early.sessions.size + kept.sessions.size).toBe(0)
  })
})

test('closing ends an unanswered HTTP/1.1 call', async () => {
  const silent = createHttpServer(() => undefined)
  const connections = await opened(silent, 'http')
  const call = connections.call(get()).then(
    () => undefined,
    (error: unknown) => Object(error).code,
  )
  await once(silent, 'request')
  await connections.close()
  expect(await call).toBe('UND_ERR_DESTROYED')
})

test('an HTTP/1.1 call that starts during closing fails, and nothing else does', async () => {
  const silent = createHttpServer(() => undefined)
  const connections = await opened(silent, 'http')
  const call = expect(connections.call(get())).rejects.toThrow()
  await connections.close()
  await call
  await expect(connections.call(get())).rejects.toThrow()
})

function fail(error: unknown): never {
  throw error
}

describe('a faulty provider file', () => {
  async function outcomeOf(request: () => unknown) {
    const codes: (string | undefined)[] = []
    const onCall = ({ errorCode }: { errorCode?: string }) => void codes.push(errorCode)
    const faulty = provider({
      ...cloudflare,
      ...Object({ firstProbe: () => ({ request, classify: () => undefined }) }),
    })
    const harness = await startHarness({ providers: new Map([['cloudflare', faulty]]), onCall })
    return { result: await harness.outcomeOf('any'), codes }
  }

  test.each([
    ['throws', () => fail(new Error('defect')), 'UNKNOWN'],
    ['throws nothing', () => fail(null), 'UNKNOWN'],
    [
      'creates a header that cannot be sent',
      () => ({ path: '/', headers: { 'x-one': 'a\nb' } }),
      'UND_ERR_INVALID_ARG',
    ],
  ])(
    '502 — when its request %s, no call is made or retried, and the result says nothing about the provider',
    async (_, request, code) => {
      expect(await outcomeOf(request)).toEqual({
        result: { outcome: 'undetermined', code: 'provider_unreachable' },
        codes: [code],
      })
    },
  )

  test("500 — when its classify returns undefined, which is our error and not the provider's", async () => {
    await expect(outcomeOf(() => ({ path: '/', headers: {} }))).rejects.toThrow(TypeError)
  })
})
