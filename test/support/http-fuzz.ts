import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'
import { connectTo } from './raw-http.ts'

/**
 * One connection of a client without a token, and how it ends: with a last request that is answered by a close; with the client's side
 * closed, or reset; or with a request of which the rest never comes.
 */
interface Attempt {
  readonly requests: readonly string[]
  readonly ending: 'last-request' | 'half-close' | 'reset' | 'stall'
}

export interface FuzzResult {
  /** How often each status was answered; `none` where the connection closed without an answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that no client may cause, or that lack what every failure has, with what was sent. */
  readonly faults: readonly { readonly sent: string; readonly received: string }[]
}

const paths = [
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs/problems.md',
  '/api/v1/user/data',
  '/api/v1/admin/users/fetch',
  '/api/v1/provider/keys/validate',
  '/api/v1/providers',
  '/api/v1/orgs/0197b2a4-6d00-7cc3-98c4-dc0c0c07398f/members',
  '/auth/sign-in',
  '/auth/sign-in/second-step',
  '/auth/sign-up',
  '/auth/refresh',
  '/auth/sign-out',
  '/auth/step-up',
  '/console/session',
  '/auth/sessions/x',
  '/.well-known/jwks.json',
  '/webhooks/stripe',
]

const junk = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('%', '%zz', '%00', '%2e%2e', '..', '?', '??', '#', '\\', '\0', '\t', '\r', '\n', '\r\n', '{', '['),
)
const long = fc.integer({ min: 100, max: 20_000 }).map((length) => 'x'.repeat(length))

const method = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH') },
  { weight: 2, arbitrary: fc.constantFrom('QUERY', 'PROPFIND', 'TRACE', 'CONNECT', 'M-SEARCH', 'PRI', 'get', 'FOO') },
  { weight: 1, arbitrary: junk },
)
const target = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...paths) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...paths), fc.constantFrom('', '/', '?', '?a='), junk)
      .map((all) => all.join('')),
  },
  { weight: 1, arbitrary: fc.constantFrom(...paths).map((path) => `http://muster.test${path}`) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      junk,
      long.map((text) => `/${text}`),
      fc.constantFrom('*', 'a:1', 'ftp://x/', 'http://', '//x'),
    ),
  },
)
const version = fc.oneof(
  { weight: 40, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', ''), junk),
  },
)
const hostLine = fc.oneof(
  { weight: 20, arbitrary: fc.constant('Host: muster.test') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'Host:',
      'Host: a b',
      'Host: u@x',
      'Host: evil.test',
      'Host: x:99999',
      'Host: a\r\nHost: b',
    ),
  },
)
const goodHeader = fc.constantFrom(
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: banana',
  'Accept: text/csv;q=x',
  'Accept-Encoding: gzip;q=0, *',
  'Accept-Version: 9.x',
  'Authorization: Bearer a.b.c',
  'Authorization: Basic eA==',
  'If-None-Match: W/"x", *',
  'If-Match: *',
  'Content-Type: application/json',
  'Content-Type: application/json; charset=utf-16',
  'Content-Type: ///',
  'Content-Encoding: gzip',
  'X-Forwarded-For: 1.2.3.4, x',
  'Stripe-Signature: t=1,v1=x',
)
const badHeader = fc.oneof(
  fc.constantFrom(
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'X : 1',
    ' folded',
  ),
  fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), junk).map(([name, value]) => `${name}: ${value}`),
  long.map((text) => `X-Long: ${text}`),
)
const header = fc.oneof({ weight: 16, arbitrary: goodHeader }, { weight: 1, arbitrary: badHeader })
const body = fc.oneof(
  fc.constantFrom('', '{}', 'null', '{', '[]', '{"email":"a@b.c","password":"wrong password"}', '{"__proto__":{}}'),
  fc.json({ maxDepth: 3 }),
  junk,
  long,
)
const framed = fc.oneof(
  body.map((text) => ['', text]),
  body.map((text) => [`Content-Length: ${Buffer.byteLength(text, 'latin1')}\r\n`, text]),
  body.map((text) => ['Content-Length: 40\r\n', text]),
  body.map((text) => ['Transfer-Encoding: chunked\r\n', `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`]),
  body.map((text) => ['Transfer-Encoding: chunked\r\n', text]),
)
const request = fc
  .tuple(method, target, version, hostLine, fc.array(header, { maxLength: 3 }), fc.boolean(), framed)
  .map(([verb, path, protocol, host, headers, isJson, [framing, content]]) => {
    const lines = [`${verb} ${path} ${protocol}`, ...(host ? [host] : []), ...headers]
    return `${lines.join('\r\n')}\r\n${isJson ? 'Content-Type: application/json\r\n' : ''}${framing}\r\n${content}`
  })
/** A request that breaks off somewhere. */
const beginning = fc
  .tuple(request, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([text, share]) => text.slice(0, Math.floor(text.length * share)))

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  {
    weight: 80,
    arbitrary: fc.record({
      requests: fc.oneof(
        { weight: 20, arbitrary: fc.array(request, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.array(junk, { minLength: 1, maxLength: 3 }) },
      ),
      ending: fc.oneof(
        { weight: 6, arbitrary: fc.constant('last-request' as const) },
        { weight: 1, arbitrary: fc.constantFrom('half-close' as const, 'reset' as const) },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ requests: fc.tuple(beginning), ending: fc.constant('stall' as const) }) },
)

/** Connections at once. Those that wait for a limit of the server are counted apart, because they cost nothing meanwhile. */
const lanes = 32

/** Where all before it was whole, its response closes the connection. */
const lastRequest = 'GET /livez HTTP/1.1\r\nHost: muster.test\r\nConnection: close\r\n\r\n'

/** When a connection is left to its lane's successor: most are answered within milliseconds. */
const slowMs = 1_000

/**
 * The longest that the server takes for a request that does not arrive (15 s), until it looks (2 s) and cuts the connection (2 s),
 * and some seconds for a busy machine.
 */
const longestMs = 40_000

/** Sends the same connections for the same seed, with so many requests or a few more. */
export async function fuzzHttp(
  url: string,
  { seed, requests }: { readonly seed: number; readonly requests: number },
): Promise<FuzzResult> {
  const statuses: Record<string, number> = {}
  const faults: { sent: string; received: string }[] = []
  const attempts = attemptsOf(seed, requests)
  const slow = new Set<Promise<void>>()
  const judge = (sent: string, { received, isLate }: Conversation) => {
    for (const status of statusesOf(received)) statuses[status] = (statuses[status] ?? 0) + 1
    if (isLate || !isHarmless(received))
      faults.push({ sent, received: `${isLate ? 'no end after: ' : ''}${received.slice(0, 1_000)}` })
  }
  const lane = async () => {
    for (const next of attempts) {
      const done = converse(url, next).then((all) => judge(next.requests.join(''), all))
      slow.add(done)
      void done.then(() => slow.delete(done))
      if (next.ending !== 'stall') await Promise.race([done, elapsed(slowMs)])
    }
  }
  await Promise.all(Array.from({ length: lanes }, () => lane()))
  await Promise.all(slow)
  return { statuses, faults }
}

function* attemptsOf(seed: number, requests: number): Generator<Attempt> {
  // In portions: all at once would take hundreds of megabytes.
  for (let portion = 0, sent = 0; sent < requests; portion += 1)
    for (const next of fc.sample(attempt, { seed: seed + portion, numRuns: 500 })) {
      if (sent >= requests) return
      sent += next.requests.length
      yield next
    }
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function statusesOf(received: string): readonly string[] {
  const found = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => String(status))
  return found.length > 0 ? found : ['none']
}

/** A failure is a problem with the headers of every failure, and none is the service's own. */
function isHarmless(received: string): boolean {
  const heads = received.split(/(?=HTTP\/1\.1 [1-5]\d\d )/).filter((text) => text.startsWith('HTTP/1.1 '))
  return heads.every((text) => {
    const status = Number(text.slice(9, 12))
    if (status < 400) return true
    const isOurs = status >= 500 && status !== 501 && status !== 505
    const needed = [
      /^content-type: application\/problem\+json/im,
      /^x-content-type-options: nosniff/im,
      /^x-request-id: /im,
    ]
    return !isOurs && needed.every((line) => line.test(text))
  })
}

interface Conversation {
  readonly received: string
  /** The server did not close although every limit of its own had passed. */
  readonly isLate: boolean
}

/** What comes back until the connection is closed. */
function converse(url: string, { requests, ending }: Attempt): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket = connectTo(url, { allowHalfOpen: true })
    let received = ''
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      socket.destroy()
    }, longestMs)
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (ending === 'reset') socket.resetAndDestroy()
      // What was sent was a whole request, after which the connection would be kept alive.
      if (ending === 'stall') socket.end()
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => undefined) // what the other side does to a broken connection is its right
    socket.on('close', () => {
      clearTimeout(timer)
      resolve({ received, isLate })
    })
    socket.on('connect', () => {
      for (const text of requests) socket.write(text, 'latin1')
      if (ending === 'last-request') socket.write(lastRequest)
      if (ending === 'half-close') socket.end()
      if (ending === 'reset' && received === '') socket.write('', () => socket.resetAndDestroy())
    })
  })
}
