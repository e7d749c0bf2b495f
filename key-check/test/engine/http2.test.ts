import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { makeDataDir } from '../../../test/support/data-dir.ts'
import {
  answer,
  data,
  frame,
  goAway,
  type Http2Server,
  headers,
  type Reaction,
  reset,
  startHttp2Server,
  uint32s,
} from '../../../test/support/http2-server.ts'
import { trustUntrusted, untrustedCert, untrustedKey } from '../../../test/support/untrusted-tls.ts'
import { openKeyChecks } from '../../engine/check.ts'
import { providers, quickLimits } from './harness.ts'

const good = { domains: [], meta: { total: 0 } }
const bad = { error: 'Invalid API token.', status: 401 }
const yes: Reaction = (socket, stream) => void socket.write(answer(stream, 200, good))
const no: Reaction = (socket, stream) => void socket.write(answer(stream, 401, bad))

interface Checked {
  readonly apiKey: string
  readonly result: string
  /** The result of each call, for checks made one after the other. */
  readonly calls: readonly string[]
}

interface Checks {
  /** Uses a new key each time, so that no verdict is cached. The caller of a `gone` key gives up after 0.1 s. */
  check(kind?: string): Promise<Checked>
  end(): Promise<void>
}

/** Checks keys at this address. */
async function startChecks(url: string, limits: object): Promise<Checks> {
  const calls: string[] = []
  const keyChecks = await openKeyChecks({
    providers,
    baseUrls: { vultr: url },
    limits: { ...quickLimits, ...limits },
    onCall: ({ errorCode, outcome }) => void calls.push(errorCode ?? outcome),
  })
  let number = 0
  return {
    async check(kind = 'key') {
      const apiKey = `${kind}-${number++}`
      const signal = kind === 'gone' ? AbortSignal.timeout(100) : undefined
      const checked = keyChecks.check({ provider: 'vultr', keyType: 'api_key', apiKey, signal })
      const result = await checked.then((found) => ('code' in found ? found.code : found.details.code), givenUp(signal))
      return { apiKey, result, calls: calls.splice(0) }
    },
    end: () => keyChecks.close(),
  }
}

const givenUp = (signal: AbortSignal | undefined) => (error: unknown) => {
  if (signal?.aborted) return 'given up'
  throw error
}

const quick = {
  headersTimeoutMs: 1_000,
  bodyTimeoutMs: 1_000,
  deadlineMs: 3_000,
  answerBytesMax: 4_096,
  breakerCallsMin: 1_000,
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The trust boundary to Node: a TCP server has an address of this type.
  const { port } = server.address() as AddressInfo
  return `https://127.0.0.1:${port}`
}

interface Pair extends Pick<Checks, 'check'> {
  readonly server: Http2Server
}

/** A server and checks of its keys. For a test that waits, so that such tests can run at the same time. */
async function startPair(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  yes: Reaction = no,
  limits: object = quick,
): Promise<Pair> {
  const server = await startHttp2Server(yes)
  const { check, end } = await startChecks(server.url, limits)
  onTestFinished(async () => {
    await end()
    server.close()
  })
  return { server, check }
}

/** One server, which rejects keys by default, and the same checks for all faults, because one fault must not affect the next. */
let server: Http2Server
let checks: Checks

beforeAll(async () => {
  trustUntrusted()
  server = await startHttp2Server(no)
  checks = await startChecks(server.url, quick)
})

afterAll(async () => {
  await checks.end()
  server.close()
  vi.restoreAllMocks()
})

/** Runs the work with a connection open. Returns the number of new connections and of calls. */
async function seenDuring(work: () => Promise<void>, at: Pair = { server, check: checks.check }) {
  await at.check()
  const { connections, calls } = { ...at.server.seen }
  await work()
  return { connections: at.server.seen.connections - connections, calls: at.server.seen.calls - calls }
}

test('HTTP/2 calls reuse one connection', async () => {
  const work = async () => {
    for (let count = 0; count < 5; count += 1) expect((await checks.check()).calls).toEqual(['not_recognised'])
  }
  expect(await seenDuring(work)).toEqual({ connections: 0, calls: 5 })
})

test('parallel calls share a connection', async () => {
  const work = async () => {
    const checked = await Promise.all(Array.from({ length: 20 }, () => checks.check()))
    expect(checked.map(({ result }) => result)).toEqual(Array.from({ length: 20 }, () => 'not_recognised'))
  }
  expect(await seenDuring(work)).toEqual({ connections: 0, calls: 20 })
})

test('after a GOAWAY, accepted calls finish on their connection and the others use a new one', async () => {
  const work = async () => {
    let first = 0
    server.next(
      (_, stream) => {
        first = stream
      },
      (socket) => {
        socket.write(goAway(first, 0))
        setTimeout(() => yes(socket, first), 50)
      },
    )
    const checked = await Promise.all([checks.check(), checks.check()])
    expect(checked.map(({ result }) => result)).toEqual(['valid', 'not_recognised'])
  }
  expect(await seenDuring(work)).toEqual({ connections: 1, calls: 3 })
})

test('closing checks closes their connections', async () => {
  const { check, end } = await startChecks(server.url, quick)
  let ended: Promise<unknown> | undefined
  server.next((socket, stream) => {
    ended = once(socket, 'end')
    no(socket, stream)
  })
  await check()
  await end()
  await ended
})

test('a cancelled check leaves the connection to the others', async () => {
  const work = async () => {
    server.next(() => undefined)
    expect(await checks.check('gone')).toMatchObject({ result: 'given up' })
    // The first may start before the connection sees the cancellation.
    for (let count = 0; count < 2; count += 1) expect(await checks.check()).toMatchObject({ result: 'not_recognised' })
  }
  expect(await seenDuring(work)).toEqual({ connections: 0, calls: 3 })
})

test('a provider that closes every connection immediately gets one for the call and one for its retry', async () => {
  let connections = 0
  const ending = createServer({ key: untrustedKey, cert: untrustedCert, ALPNProtocols: ['h2'] }, (socket) => {
    connections += 1
    socket.destroy()
  })
  const { check, end } = await startChecks(await listen(ending), quick)
  onTestFinished(async () => {
    await end()
    ending.close()
  })
  expect(await check()).toMatchObject({ result: 'provider_unreachable' })
  expect(connections).toBe(2)
})

test('an HTTP/1.1 provider gets one connection per call', async () => {
  let connections = 0
  const body = JSON.stringify(bad)
  const old = createServer({ key: untrustedKey, cert: untrustedCert, ALPNProtocols: ['http/1.1'] }, (socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.on('data', () => socket.write(`HTTP/1.1 401 Unauthorized\r\ncontent-length: ${body.length}\r\n\r\n${body}`))
  })
  const { check, end } = await startChecks(await listen(old), quick)
  onTestFinished(async () => {
    await end()
    old.close()
  })
  for (let count = 1; count <= 3; count += 1) {
    expect(await check()).toMatchObject({ result: 'not_recognised' })
    expect(connections).toBe(count)
  }
})

/** Failures of one call that a retry may fix. */
const broken: Readonly<Record<string, Reaction>> = {
  'GOAWAY before the call is processed': (socket) => void socket.write(goAway(0, 0)),
  'GOAWAY with an error': (socket) => void socket.write(goAway(0, 2)),
  'GOAWAY to slow down': (socket) => void socket.write(goAway(0, 11)),
  'the stream refused': (socket, stream) => void socket.write(reset(stream, 7)),
  'the stream reset for an error': (socket, stream) => void socket.write(reset(stream, 2)),
  'the stream cancelled': (socket, stream) => void socket.write(reset(stream, 8)),
  'the stream reset without an error': (socket, stream) => void socket.write(reset(stream, 0)),
  'a reset after the status': (socket, stream) =>
    void socket.write(Buffer.concat([headers(stream, 200), reset(stream, 2)])),
  'a connection reset': (socket) => void socket.destroy(),
  'a connection that ends': (socket) => void socket.end(),
  'a reset within the answer': (socket, stream) => {
    socket.write(headers(stream, 200))
    socket.write(data(stream, '{"domains":[', false), () => socket.destroy())
  },
  'an end within the answer': (socket, stream) => {
    socket.write(headers(stream, 200))
    socket.end(data(stream, '{"domains":[', false))
  },
  'more bytes than announced': (socket, stream) =>
    void socket.write(
      Buffer.concat([headers(stream, 200, { 'content-length': '5' }), data(stream, JSON.stringify(good))]),
    ),
  'fewer bytes than announced': (socket, stream) =>
    void socket.write(
      Buffer.concat([headers(stream, 200, { 'content-length': '500' }), data(stream, JSON.stringify(good))]),
    ),
  'headers that never end': (socket, stream) => {
    socket.write(frame('headers', 0, stream, Buffer.of(0x88)))
    const field = Buffer.concat([Buffer.of(0, 1, 97, 127, 0xa1, 0x4d), Buffer.from('x'.repeat(10_016))])
    for (let count = 0; count < 40; count += 1) socket.write(frame('continuation', 0, stream, field))
  },
  'headers without a status': (socket, stream) =>
    void socket.write(
      Buffer.concat([frame('headers', 4, stream, Buffer.of(0, 1, 97, 1, 98)), data(stream, JSON.stringify(good))]),
    ),
}

test.each(Object.entries(broken))('a retry gets past %s, and the next check past both', async (_, reaction) => {
  const work = async () => {
    server.next(reaction)
    const { result, calls } = await checks.check()
    expect({ result, calls: calls.length }).toEqual({ result: 'not_recognised', calls: 2 })
    expect(await checks.check()).toMatchObject({ result: 'not_recognised', calls: ['not_recognised'] })
  }
  expect(await seenDuring(work)).toEqual({ connections: 1, calls: 3 })
})

test('of an answer that is too long only the beginning is read; the connection stays in use', async () => {
  const work = async () => {
    server.next((socket, stream) => {
      socket.write(headers(stream, 200))
      for (let count = 0; count < 10; count += 1) socket.write(data(stream, ' '.repeat(1_000), false))
      socket.write(data(stream, JSON.stringify(good)))
    })
    expect(await checks.check()).toMatchObject({ result: 'provider_answer_unexpected', calls: ['ANSWER_TOO_LONG'] })
    expect(await checks.check()).toMatchObject({ result: 'not_recognised' })
  }
  expect(await seenDuring(work)).toEqual({ connections: 0, calls: 2 })
})

test('a partial answer is no verdict, however its stream ends', async () => {
  server.next(
    (socket, stream) =>
      void socket.write(Buffer.concat([headers(stream, 200), data(stream, '{"domains":[', false), reset(stream, 0)])),
  )
  expect(await checks.check()).toMatchObject({ result: 'provider_answer_unexpected' })
})

// The tests below wait for deadlines. Each has its own server, so they run at the same time.

/** Failures that are not retried. The next check has another connection, because this one may be dead. */
const unanswered: Readonly<Record<string, readonly [result: string, call: string, reaction: Reaction]>> = {
  silence: ['provider_timeout', 'HEADERS_TIMEOUT', () => undefined],
  'silence after the status': [
    'provider_timeout',
    'BODY_TIMEOUT',
    (socket, stream) => void socket.write(headers(stream, 200)),
  ],
  'a slow, dripping answer': [
    'provider_timeout',
    'DEADLINE',
    (socket, stream) => {
      socket.write(headers(stream, 200))
      const timer = setInterval(() => socket.write(data(stream, ' ', false)), 100)
      socket.once('close', () => clearInterval(timer))
    },
  ],
  'a limit of 0 streams': [
    'provider_timeout',
    'HEADERS_TIMEOUT',
    (socket) => void socket.write(frame('settings', 0, 0, Buffer.concat([Buffer.of(0, 3), uint32s(0)]))),
  ],
}

test.concurrent.for(Object.entries(unanswered))(
  '%s is a problem and no verdict; the next check has another connection',
  async ([, [problem, call, reaction]], context) => {
    const pair = await startPair(context)
    const { server, check } = pair
    const work = async () => {
      server.next(reaction)
      expect(await check()).toMatchObject({ result: problem, calls: [call] })
      expect(await check()).toMatchObject({ result: 'not_recognised' })
    }
    expect(await seenDuring(work, pair)).toEqual({ connections: 1, calls: 2 })
  },
)

const unreadable: Readonly<Record<string, Reaction>> = {
  'bytes that are not HTTP/2': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
  'a body without a status': (socket, stream) => void socket.write(data(stream, JSON.stringify(good))),
}

// Node 22 does not detect them, and the call times out. Node 26 does, and the call is retried.
test.concurrent.for(Object.entries(unreadable))(
  '%s give no verdict; the next check has another connection',
  async ([, reaction], context) => {
    const pair = await startPair(context)
    const { server, check } = pair
    const work = async () => {
      server.next(reaction)
      const { result, calls } = await check()
      expect([
        { result: 'provider_timeout', calls: ['HEADERS_TIMEOUT'] },
        { result: 'not_recognised', calls: ['ERR_HTTP2_ERROR', 'not_recognised'] },
      ]).toContainEqual({ result, calls })
      expect(await check()).toMatchObject({ result: 'not_recognised' })
    }
    expect(await seenDuring(work, pair)).toMatchObject({ connections: 1 })
  },
)

test.concurrent('a process exits after closing its checks, even if the provider keeps its connection open', async ({
  onTestFinished,
}) => {
  const { path, remove } = await makeDataDir()
  onTestFinished(remove)
  const authority = join(path, 'authority.pem')
  await writeFile(authority, untrustedCert)
  const program = fileURLToPath(new URL('../../../test/support/key-check-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, server.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: authority },
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect([printed, code]).toEqual(['invalid', 0])
})

test.concurrent('a call that hangs or breaks does not affect parallel calls', async (context) => {
  const pair = await startPair(context)
  const { server, check } = pair
  const work = async () => {
    server.next(
      () => undefined,
      (socket, stream) => void socket.write(reset(stream, 2)),
      no,
      no,
    )
    const checked = await Promise.all(Array.from({ length: 4 }, () => check()))
    const results = checked.map(({ result }) => result).sort()
    expect(results).toEqual(['not_recognised', 'not_recognised', 'not_recognised', 'provider_timeout'])
  }
  // The broken one is retried on a new connection.
  expect(await seenDuring(work, pair)).toEqual({ connections: 1, calls: 5 })
})

test.concurrent('a connection is closed after a GOAWAY, even if the provider leaves it open', async (context) => {
  let hasClosed = false
  const { check } = await startPair(context, (socket, stream) => {
    no(socket, stream)
    socket.write(goAway(stream, 0))
    // Writing to a closed connection fails.
    const timer = setInterval(() => socket.write(frame('settings', 1, 0)), 20)
    socket.once('close', () => {
      clearInterval(timer)
      hasClosed = true
    })
  })
  await check()
  await expect.poll(() => hasClosed).toBe(true)
})

test.concurrent("never exceeds the provider's limit of parallel calls per connection", async (context) => {
  const allowsTwo = frame('settings', 0, 0, Buffer.concat([Buffer.of(0, 3), uint32s(2)]))
  const { server, check } = await startPair(context, (socket, stream) => void setTimeout(() => no(socket, stream), 100))
  server.next((socket, stream) => {
    socket.write(allowsTwo)
    no(socket, stream)
  })
  await check()
  expect(server.seen).toEqual({ connections: 1, calls: 1 })
  await Promise.all(Array.from({ length: 3 }, () => check()))
  expect(server.seen).toEqual({ connections: 2, calls: 4 })
})

test.concurrent('no call starts on a connection beyond its maximum age', async (context) => {
  const { server, check } = await startPair(context, no, { connectionAgeMs: 1 })
  for (let count = 0; count < 3; count += 1) {
    await check()
    await after(3)
  }
  expect(server.seen).toEqual({ connections: 3, calls: 3 })
})

test.concurrent('a busy connection has a maximum age too', async (context) => {
  const { server, check } = await startPair(context, no, { connectionAgeMs: 300 })
  const beganAtMs = performance.now()
  while (server.seen.connections < 3 && performance.now() - beganAtMs < 10_000) await check()
  expect(server.seen.connections).toBe(3)
})

test.concurrent('after a call without an answer, no new call uses the existing connections', async (context) => {
  const { server, check } = await startPair(context, (socket, stream) => void setTimeout(() => no(socket, stream), 300))
  server.next(() => undefined)
  const checked = await Promise.all(Array.from({ length: 33 }, () => check()))
  expect(checked.filter(({ result }) => result === 'provider_timeout')).toHaveLength(1)
  expect(server.seen.connections).toBe(2)
  await check()
  expect(server.seen.connections).toBe(3)
})

test.concurrent('the body timeout is separate and starts with the status', async (context) => {
  const { server, check } = await startPair(context, no, { ...quick, headersTimeoutMs: 20_000, bodyTimeoutMs: 200 })
  server.next((socket, stream) => void socket.write(headers(stream, 200)))
  expect(await check()).toMatchObject({ result: 'provider_timeout', calls: ['BODY_TIMEOUT'] })
})

const unasked: Readonly<Record<string, Reaction>> = {
  'twice at once': (socket, stream) =>
    void socket.write(Buffer.concat([answer(stream, 200, good), answer(stream, 200, good)])),
  'again, while the next call waits': (socket, stream) => {
    yes(socket, stream)
    setTimeout(() => yes(socket, stream), 30)
  },
  'for the next call, before it is made': (socket, stream) =>
    void socket.write(Buffer.concat([answer(stream, 200, good), answer(stream + 2, 200, good)])),
  'for the next call, while this one waits': (socket, stream) => {
    yes(socket, stream + 2)
    yes(socket, stream)
  },
  'as a server push': (socket, stream) => {
    socket.write(frame('push', 4, stream, Buffer.concat([uint32s(2), Buffer.of(0x82)])))
    yes(socket, 2)
    yes(socket, stream)
  },
}

test.concurrent.for(Object.entries(unasked))(
  'an answer that comes %s is never taken for the answer to the next credential',
  async ([, reaction], context) => {
    const { server, check } = await startPair(context)
    const late: Reaction = (socket, stream) => void setTimeout(() => no(socket, stream), 60)
    for (let round = 0; round < 3; round += 1) {
      server.next(reaction, late)
      await check()
      expect(await check()).toMatchObject({ result: 'not_recognised' })
    }
  },
)

/** A Node server that sometimes breaks a connection or a stream, and otherwise answers each key correctly. */
async function startShakyServer(): Promise<{ readonly url: string; close(): void }> {
  const shaky = createSecureServer(
    { key: untrustedKey, cert: untrustedCert },
    ({ headers: asked, stream }, response) => {
      const isGood = asked.authorization?.startsWith('Bearer good')
      const luck = Math.random()
      setTimeout(() => {
        if (luck < 0.002) return stream.session?.destroy()
        if (luck < 0.02) return stream.close(2)
        // Node still delivers what has arrived.
        if (luck < 0.04) stream.session?.goaway()
        response.writeHead(isGood ? 200 : 401).end(JSON.stringify(isGood ? good : bad))
      }, Math.random() * 30)
    },
  )
  shaky.on('sessionError', () => undefined)
  return { url: await listen(shaky), close: () => void shaky.close() }
}

test.concurrent('each of 400 parallel checks over breaking connections gets the verdict on its own key or none', async ({
  onTestFinished,
}) => {
  const shaky = await startShakyServer()
  const { check, end } = await startChecks(shaky.url, { breakerCallsMin: 1_000_000 })
  onTestFinished(async () => {
    await end()
    shaky.close()
  })
  const kinds = Array.from({ length: 400 }, (_, number) => (number % 3 === 0 ? 'good' : 'junk'))
  const checked = await Promise.all(kinds.map((kind) => check(kind)))
  const decided = checked.filter(({ result }) => result !== 'provider_unreachable')
  for (const { apiKey, result } of decided)
    expect(result, apiKey).toBe(apiKey.startsWith('good') ? 'valid' : 'not_recognised')
  expect(decided.length).toBeGreaterThan(200)
})
