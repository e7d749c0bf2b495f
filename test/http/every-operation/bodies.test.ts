import { once } from 'node:events'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectTo } from '../../support/raw-http.ts'
import { type Service, startService } from '../../support/service.ts'

const batch = '/api/v1/provider/keys/validate-batch'
const single = '/api/v1/provider/keys/validate'
const mebibyte = 2 ** 20

let service: Service
let token: string
beforeAll(async () => {
  service = await startService({
    env: {
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      MUSTER_KEY_CHECKS_PER_MINUTE: '100000',
      MUSTER_WRITES_PER_MINUTE: '100000',
    },
  })
  token = (await service.person()).token
  return () => service.stop()
})

interface Sent {
  readonly path?: string
  readonly token?: string
  /** Header lines about the body. */
  readonly head: string
  /** The part of the body that is sent immediately. */
  readonly start: string
}

/** Starts a request whose body is sent in parts. */
function begin({ path = batch, token: bearer = token, head, start }: Sent) {
  const socket = connectTo(service.url)
  let received = ''
  let isClosed = false
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
  })
  onTestFinished(() => void socket.destroy())
  const authorization = bearer === '' ? '' : `Authorization: Bearer ${bearer}\r\n`
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: muster.test\r\n${authorization}Content-Type: application/json\r\n${head}\r\n\r\n${start}`,
  )
  return {
    socket,
    received: () => received,
    isClosed: () => isClosed,
    /** Waits for the first response. */
    async answer() {
      await expect.poll(() => received, { timeout: 10_000 }).toMatch(/\r\n\r\n[\s\S]*[}\n]$/)
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(received) ?? []
      const body = /^(\{.*\})\r?$/m.exec(received)?.[1] ?? '{}'
      return { status: Number(status), body: JSON.parse(body), head: received.slice(0, received.indexOf('\r\n\r\n')) }
    },
  }
}

const ofLength = (bytes: number) => `Content-Length: ${bytes}`
const chunked = 'Transfer-Encoding: chunked'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const tooDeep = (pointer: string) => ({
  status: 400,
  body: { code: 'input_invalid', errors: [{ pointer, detail: 'is nested more than 32 levels deep' }] },
})

const nested = [
  ['lists', '['.repeat(33), '/0'.repeat(32)],
  ['objects', `${'{"a":'.repeat(32)}{`, '/a'.repeat(32)],
  ['lists and objects by turns', `${'[{"a":'.repeat(16)}[`, '/0/a'.repeat(16)],
  ['a list in a member of a key', `{"keys":[{"apiKey":"x","for":${'['.repeat(30)}`, `/keys/0/for${'/0'.repeat(29)}`],
] as const

describe('a body that is nested too deep', () => {
  test.each(nested)('is rejected before the rest is sent: %s', async (_, start, pointer) => {
    for (const path of [batch, single]) {
      const size = path === batch ? 4 * mebibyte : 16_384
      expect(await begin({ path, head: ofLength(size), start }).answer()).toMatchObject(tooDeep(pointer))
      expect(await begin({ path, head: chunked, start: chunk(start) }).answer()).toMatchObject(tooDeep(pointer))
    }
  })

  test('is rejected at the first byte that is too deep, even if bytes arrive slowly', async () => {
    const slow = begin({ head: ofLength(mebibyte), start: '' })
    slow.socket.setNoDelay(true)
    for (const byte of '['.repeat(32)) {
      slow.socket.write(byte)
      await service.get('/livez')
    }
    expect(slow.received()).toBe('')
    slow.socket.write('[')
    expect(await slow.answer()).toMatchObject(tooDeep('/0'.repeat(32)))
  })

  test('is rejected in 100 concurrent requests, from 1 and from 50 callers, while other requests are served', async () => {
    const others = await Promise.all(Array.from({ length: 50 }, async () => (await service.person()).token))
    for (const tokens of [[token], others]) {
      const senders = Array.from({ length: 100 }, (_, index) => {
        const [, start, pointer] = nested[index % nested.length] ?? nested[0]
        const sent = { token: tokens[index % tokens.length] ?? '', head: ofLength(4 * mebibyte), start }
        return { ...begin(sent), pointer }
      })
      expect((await service.get('/api/v1/user/data', { token })).status).toBe(200)
      for (const { answer, pointer } of senders) expect(await answer()).toMatchObject(tooDeep(pointer))
    }
  })

  test('keeps the connection usable once the rest has been sent', async () => {
    const [, start] = nested[0]
    const { socket, answer, received } = begin({ head: ofLength(200_000), start })
    await answer()
    socket.write(' '.repeat(200_000 - start.length))
    socket.write('GET /livez HTTP/1.1\r\nHost: muster.test\r\n\r\n')
    await expect.poll(received).toMatch(/HTTP\/1\.1 200 OK[\s\S]*ok/)
  })

  test('a body with 32 levels, or with brackets in a string, is accepted', async () => {
    const inString = JSON.stringify({ keys: [{ apiKey: '[{"a":'.repeat(500), keyType: 'none' }] })
    const allowed = [
      [`${'['.repeat(32)}${']'.repeat(32)}`, { code: 'input_invalid', errors: [{ pointer: '' }] }],
      [`{"keys":[{"a":${'['.repeat(29)}${']'.repeat(29)}}]}`, { index: 0, problem: { code: 'input_invalid' } }],
      [inString, { index: 0, problem: { code: 'input_invalid', errors: [{ pointer: '/keys/0/keyType' }] } }],
      ['['.repeat(32), { code: 'body_malformed' }],
    ] as const
    for (const [body, answer] of allowed)
      expect((await begin({ head: ofLength(body.length), start: body }).answer()).body).toMatchObject(answer)
  })
})

describe('a body with too many members and elements', () => {
  test.each([
    [single, `[${'0,'.repeat(1_000)}`, '/1000', 1_000],
    [single, `{${Array.from({ length: 1_001 }, (_, index) => `"${index}":0`).join(',')}`, '/1000', 1_000],
    [batch, `{"keys":[${'0,'.repeat(32_000)}`, '/keys/31999', 32_000],
    [batch, `{"keys":[${'[],'.repeat(16_000)}`, '/keys/15999/0', 32_000],
  ])('is rejected before the rest is sent: %s', async (path, start, pointer, itemsMax) => {
    const detail = `exceeds the limit of ${itemsMax} members and list elements`
    expect(await begin({ path, head: chunked, start: chunk(start) }).answer()).toMatchObject({
      status: 400,
      body: { code: 'input_invalid', errors: [{ pointer, detail }] },
    })
  })
})

describe('a body with an unsupported coding or type', () => {
  test.each([[`Content-Encoding: gzip\r\n${ofLength(4 * mebibyte)}`], [`Content-Encoding: gzip\r\n${chunked}`]])(
    'gets 415 before the body has arrived: %s',
    async (head) => {
      const start = head.includes('chunked') ? chunk('x') : ''
      expect(await begin({ head, start }).answer()).toMatchObject({
        status: 415,
        body: { code: 'content_type_unsupported' },
      })
    },
  )
})

describe('large bodies', () => {
  const large = (bytes = 4 * mebibyte) => ({ head: ofLength(bytes), start: '{"keys":[' })
  const overloaded = { status: 503, body: { code: 'overloaded', detail: 'Too many large bodies are in progress.' } }
  const end = `{"apiKey":"short","keyType":"api_token"}]}`
  /** Sends the rest of a body with this size. */
  const finish = (body: ReturnType<typeof begin>, bytes: number) => {
    body.socket.write(' '.repeat(bytes - '{"keys":['.length - end.length) + end)
    return body.answer()
  }

  type Body = ReturnType<typeof begin>
  /** Waits for the response to any of these bodies: requests pass the gate in any order. */
  const oneRefused = async (bodies: readonly Body[]) => {
    const answered = () => bodies.filter(({ received }) => received() !== '')
    await expect.poll(() => answered().length).toBe(1)
    const [refused] = answered()
    if (!refused) throw new Error('no body was refused')
    return { refused: await refused.answer(), held: bodies.filter((body) => body.received() === '') }
  }

  test('of one caller hold at most 8 MiB: the next one gets 503 with Retry-After, and smaller bodies work', async () => {
    const { token: own } = await service.person()
    const { refused, held } = await oneRefused([1, 2, 3].map(() => begin({ token: own, ...large() })))
    expect(refused).toMatchObject(overloaded)
    expect(refused.head).toMatch(/^retry-after: 5\r?$/m)
    expect(await begin({ token: own, ...large(65_537) }).answer()).toMatchObject(overloaded)
    const small = begin({ token: own, ...large(65_536) })
    expect(await finish(small, 65_536)).toMatchObject({ status: 200, body: { index: 0 } })
    for (const body of held) expect(await finish(body, 4 * mebibyte)).toMatchObject({ status: 200 })
  })

  test('leave memory for other callers, and release it when their caller disconnects', async () => {
    const { token: own } = await service.person()
    const { held } = await oneRefused([1, 2, 3].map(() => begin({ token: own, ...large() })))
    const { token: other } = await service.person()
    expect(await finish(begin({ token: other, ...large(mebibyte) }), mebibyte)).toMatchObject({ status: 200 })
    for (const { socket } of held) socket.destroy()
    await expect.poll(async () => (await finish(begin({ token: own, ...large(mebibyte) }), mebibyte)).status).toBe(200)
  })

  test('count with the limit of their operation if they are chunked, from 64 KiB on', async () => {
    const { token: own } = await service.person()
    const start = chunk(`{"keys":[${' '.repeat(65_536)}`)
    const { refused, held } = await oneRefused([1, 2, 3].map(() => begin({ token: own, head: chunked, start })))
    expect(refused).toMatchObject(overloaded)
    for (const { socket, answer } of held) {
      socket.write(`${chunk(end)}0\r\n\r\n`)
      expect(await answer()).toMatchObject({ status: 200 })
    }
  })

  test('without a token hold at most 2 MiB per network, and do not affect callers with a token', async () => {
    const event = { path: '/webhooks/stripe', token: '', head: ofLength(262_144), start: '{' }
    const { refused, held } = await oneRefused(Array.from({ length: 9 }, () => begin(event)))
    expect(refused).toMatchObject(overloaded)
    const { token: own } = await service.person()
    expect(await finish(begin({ token: own, ...large(mebibyte) }), mebibyte)).toMatchObject({ status: 200 })
    for (const { socket } of held) socket.destroy()
  })
})

describe('a body in thousands of tiny chunks', () => {
  const tiny = chunk('1').repeat(2_500)

  test('is rejected before and after the gate, and its connection is closed', async () => {
    for (const bearer of [token, '']) {
      const { answer, isClosed } = begin({ token: bearer, head: chunked, start: `${chunk('[')}${tiny}` })
      const { status, body } = await answer()
      expect([status, body.code]).toEqual(bearer === '' ? [401, 'token_missing'] : [400, 'request_malformed'])
      await expect.poll(isClosed).toBe(true)
    }
  })

  test('is accepted up to 2,000 chunks', async () => {
    const body = JSON.stringify({ keys: [{ apiKey: 'short', keyType: 'api_token' }] }).padEnd(1_990)
    const start = `${[...body].map(chunk).join('')}0\r\n\r\n`
    expect(await begin({ head: chunked, start }).answer()).toMatchObject({ status: 200, body: { index: 0 } })
  })
})

test('a body split into pieces of any size, even within a character, gets the same response', async () => {
  const keys = [
    { apiKey: 'short', keyType: 'api_token' },
    { 'é😀': '\\ud83d\\ude00', apiKey: 'é😀'.repeat(50) },
  ]
  const bytes = Buffer.from(JSON.stringify({ keys }).replaceAll('\\\\', '\\'))
  const whole = await begin({ head: ofLength(bytes.length), start: bytes.toString() }).answer()
  expect(whole).toMatchObject({ status: 200, body: { index: 0 } })
  for (const pieceBytes of [1, 2, 3, 7, 64]) {
    const { socket, answer, received } = begin({ head: chunked, start: '' })
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
    }
    socket.write('0\r\n\r\n')
    expect((await answer()).status).toBe(200)
    await expect.poll(received).toMatch(/"pointer":"\/keys\/1\/é😀"|"pointer":"\/keys\/1\/keyType"/)
  }
})

describe('a body whose length differs from its Content-Length', () => {
  test('ends with its connection and without an error in the log if it is shorter', async () => {
    const { socket, received } = begin({ head: ofLength(1_000), start: '{"keys":[' })
    socket.end()
    await once(socket, 'close')
    expect(received()).not.toContain('"status":5')
    const failed = (await service.logged()).split('\n').filter((line) => line.includes('request failed'))
    expect(failed.filter((line) => !line.includes('overloaded'))).toEqual([])
  })

  test('is read up to the declared length if it is longer, and the rest is rejected as another request', async () => {
    const { received } = begin({ head: ofLength(2), start: '{}{}{}' })
    await expect
      .poll(received)
      .toMatch(/HTTP\/1\.1 400 [\s\S]*input_invalid[\s\S]*HTTP\/1\.1 501 [\s\S]*method_unknown/)
  })
})

test.each(['GET', 'POST'])(
  'a body that no operation reads is discarded, and the connection stays open: %s',
  async (method) => {
    const socket = connectTo(service.url)
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    const path = method === 'GET' ? '/api/v1/user/data' : '/auth/sign-out'
    const { token: own } = await service.person()
    const body = method === 'GET' ? 'x'.repeat(300_000) : 'x'.repeat(10)
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: muster.test\r\nAuthorization: Bearer ${own}\r\n${chunked}\r\n\r\n${chunk(body)}0\r\n\r\n`,
    )
    socket.write('GET /livez HTTP/1.1\r\nHost: muster.test\r\n\r\n')
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 [\s\S]*HTTP\/1\.1 200 OK[\s\S]*ok/)
  },
)

test('answers each of 60 rejected requests while their bodies are still being sent', async () => {
  const bodies = Array.from({ length: 60 }, () => {
    const body = begin({ token: '', head: ofLength(4 * mebibyte), start: '[' })
    body.socket.write(Buffer.alloc(2 * mebibyte, ' '))
    return body
  })
  for (const { answer } of bodies)
    expect(await answer()).toMatchObject({ status: 401, body: { code: 'token_missing' } })
  expect((await service.get('/livez')).status).toBe(200)
})
