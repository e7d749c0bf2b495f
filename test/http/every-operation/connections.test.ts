import { execFileSync } from 'node:child_process'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange, type RawAnswer } from '../../support/raw-http.ts'
import { type Service, startService, testInProcess } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const host = 'Host: muster.test\r\n'
const last = `${host}Connection: close\r\n\r\n`
const signIn = `POST /auth/sign-in HTTP/1.1\r\n${host}Content-Type: application/json\r\n`

/** Log lines with the request ID of a response. */
async function linesOf({ headers }: RawAnswer, on = service) {
  const id = headers['x-request-id'] ?? 'none'
  const lines = (await on.logged()).split('\n')
  return lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
}

async function expectProblem(answer: RawAnswer | undefined, status: number, code: string) {
  if (!answer) throw new Error('no answer')
  expect(answer).toMatchObject({
    status,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'strict-transport-security': expect.stringMatching(/max-age=31536000/),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  })
  expect(JSON.parse(answer.body)).toMatchObject({
    status,
    code,
    instance: `urn:uuid:${answer.headers['x-request-id']}`,
  })
  await expect.poll(() => linesOf(answer)).toEqual([expect.objectContaining({ level: 30, status, msg: 'request' })])
}

test.each([
  ['a method that does not exist', `FOO /livez HTTP/1.1\r\n${last}`, 501, 'method_unknown'],
  ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${last}`, 501, 'method_unknown'],
  ['a malformed request line', `GET  /livez HTTQ/1.1\r\n${last}`, 400, 'request_malformed'],
  ['a malformed target', `GET livez HTTP/1.1\r\n${last}`, 400, 'request_malformed'],
  ['HTTP/1.2', `GET /livez HTTP/1.2\r\n${last}`, 505, 'version_unsupported'],
  ['HTTP/2.0', `GET /livez HTTP/2.0\r\n${last}`, 505, 'version_unsupported'],
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'version_unsupported'],
  ['an HTTP/0.9 request', 'GET /livez\r\n\r\n', 505, 'version_unsupported'],
  ['a malformed header line', `GET /livez HTTP/1.1\r\nX\0: 1\r\n${last}`, 400, 'request_malformed'],
  ['headers of 70 KB', `GET /livez HTTP/1.1\r\nX: ${'y'.repeat(70_000)}\r\n${last}`, 431, 'headers_too_large'],
  ['an unknown expectation', `GET /livez HTTP/1.1\r\nExpect: banana\r\n${last}`, 417, 'expectation_failed'],
  [
    'an unknown expectation besides 100-continue',
    `GET /livez HTTP/1.1\r\nExpect: 100-continue, x\r\n${last}`,
    417,
    'expectation_failed',
  ],
  ['a malformed chunk', `${signIn}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'request_malformed'],
  ['an id of 200 characters', `DELETE /auth/sessions/${'x'.repeat(200)} HTTP/1.1\r\n${last}`, 401, 'token_missing'],
  ['a malformed escape', `GET /auth/%zz HTTP/1.1\r\n${last}`, 400, 'request_malformed'],
])('%s gets one problem with the default headers and one log line', async (_, text, status, code) => {
  const [answer, ...more] = await exchange(service.url, text)
  expect(more).toEqual([])
  await expectProblem(answer, status, code)
})

test.each([
  ['with its length', (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
  [
    'in chunks',
    (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ],
])(
  'a body far over the limit, sent %s, gets a response instead of a reset, and the connection stays open',
  async (_, send) => {
    const answers = await exchange(
      service.url,
      `${signIn}${send('x'.repeat(20_000_000))}GET /livez HTTP/1.1\r\n${last}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([413, 200])
  },
)

test('every method that Node knows gets 405 with Allow at a known path, and 404 elsewhere', async () => {
  for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name)))
    for (const body of ['', 'Content-Type: application/json\r\nContent-Length: 2\r\n', 'Content-Type: x\r\n'])
      for (const [path, status] of [
        ['/livez', 405],
        ['/nowhere', 404],
      ] as const) {
        const content = body.includes('Length') ? '{}' : ''
        const [answer] = await exchange(service.url, `${method} ${path} HTTP/1.1\r\n${body}${last}${content}`)
        expect(answer?.status, `${method} ${path} ${body}`).toBe(status)
        expect(answer?.headers.allow).toBe(status === 405 ? 'GET, HEAD' : undefined)
      }
})

test('an upgrade is declined by serving the request, and the connection closes so that no client waits for later requests', async () => {
  const upgrade = `GET /livez HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
  for (const behind of ['', `GET /livez HTTP/1.1\r\n${host}\r\n`]) {
    const answers = await exchange(service.url, upgrade + behind)
    expect(answers.map(({ status, headers }) => [status, headers.connection])).toEqual([[200, 'close']])
  }
})

test('responses keep the order of their requests, even if the last request is rejected by the parser', async () => {
  const ready = `GET /readyz HTTP/1.1\r\n${host}\r\n`
  for (const [next, status] of [
    ['BAD\r\n\r\n', 501],
    [`CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, 501],
    ['GET \0', 400],
  ] as const) {
    const answers = await exchange(service.url, ready + ready + next)
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, status])
  }
})

test('data after a request with Connection: close is not answered', async () => {
  const answers = await exchange(service.url, `GET /livez HTTP/1.1\r\n${last}GET /livez HTTP/1.1\r\n${last}`)
  expect(answers.map(({ status }) => status)).toEqual([200])
})

test('a body that breaks off after its request was rejected gets no second response', async () => {
  const head = `POST /auth/sign-out HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`
  const [only, ...more] = await exchange(service.url, `${head}zz\r\n`)
  expect(more).toEqual([])
  await expectProblem(only, 401, 'token_missing')
  const answers = await exchange(service.url, head, 'zz\r\n')
  expect(answers.map(({ status }) => status)).toEqual([401])
})

test('a connection is closed with its 10,000th response, and later requests are not answered', async () => {
  const answers = await exchange(service.url, `GET /livez HTTP/1.1\r\n${host}\r\n`.repeat(10_020))
  expect(answers).toHaveLength(10_000)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers.at(-2)?.headers.connection).not.toBe('close')
  expect(answers.at(-1)?.headers.connection).toBe('close')
})

test('a client that sends CONNECT and disconnects immediately causes no error', async () => {
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise<void>((sent) => socket.write(`CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, () => sent()))
    socket.resetAndDestroy()
  }
  expect((await service.get('/livez')).status).toBe(200)
})

testInProcess('accepts 600 connections that arrive while the process is busy', async () => {
  expect(connectedWhileBusy(service)).toBe(600)
})

/** How many of 600 connections the kernel holds while this process accepts none. */
function connectedWhileBusy({ url }: Service): number {
  const program = `
    let count = 0
    for (let i = 0; i < 600; i += 1)
      require('node:net').connect(${new URL(url).port}, '127.0.0.1', () => { count += 1 }).on('error', () => undefined)
    setTimeout(() => { console.log(count); process.exit() }, 500)`
  return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
}
