import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createReadySender, type ReadyBody, type SendReady } from '../../src/server/ready-answer.ts'

const fixed = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
}
const bodies: Readonly<Record<string, ReadyBody>> = {
  '/latin': { status: 200, text: '{"name":"Ada"}', bytes: 14 },
  '/wide': { status: 200, text: '{"name":"Ωmega 🐟"}', bytes: Buffer.byteLength('{"name":"Ωmega 🐟"}') },
  '/empty': { status: 200, text: '', bytes: 0 },
  '/unchanged': { status: 304 },
}

/** As `node:http` does it, with nothing in between. */
const usual: SendReady = (response, body, own) => {
  const { 'content-type': type, ...others } = fixed
  const head = [...Object.entries(others).flat(), ...own]
  if (body.status === 304) response.writeHead(304, head).end()
  else response.writeHead(200, ['content-type', type, ...head, 'content-length', String(body.bytes)]).end(body.text)
}

interface Listening {
  readonly port: number
  /** How often Node made the head. */
  headsMade(): number
}

async function listening(senderOf: (server: ReturnType<typeof createServer>) => SendReady): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 72_000 })
  server.maxRequestsPerSocket = 4
  const send = senderOf(server)
  let made = 0
  const counted = (response: ServerResponse): ServerResponse => {
    const { writeHead } = response
    response.writeHead = (...args: [number]) => {
      made += 1
      return Reflect.apply(writeHead, response, args)
    }
    return response
  }
  server.on('request', (request, response) => {
    const body = bodies[request.url ?? '']
    if (body) send(counted(response), body, ['etag', `"${request.url}"`])
    // Answered late, so that what follows on the same connection has to wait.
    else setTimeout(() => response.writeHead(200, ['content-length', '4']).end('late'), 20)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, headsMade: () => made }
}

/** Everything that comes back until the connection is closed, the date left out: asked all at once, or one after the other. */
async function conversation(port: number, requests: readonly string[], isPatient: boolean): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  const left = isPatient ? [...requests] : [requests.join('')]
  const ask = () => socket.write(left.shift() ?? '')
  let answer = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    answer += piece
    ask()
  })
  ask()
  await once(socket, 'close')
  return answer.replaceAll(/^Date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT\r$/gm, 'Date: now\r')
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const close = 'Connection: close\r\n'
const conversations = {
  'each kind': [get('/latin'), get('/wide'), get('/unchanged'), get('/latin', close)],
  'behind one that takes long': [get('/late'), get('/latin'), get('/unchanged'), get('/wide', close)],
  'one more than a connection may ask for': [...['/latin', '/empty', '/unchanged', '/latin'], '/wide'].map((path, at) =>
    get(path, at === 4 ? close : ''),
  ),
  'of HTTP/1.0': ['GET /latin HTTP/1.0\r\n\r\n'],
}

for (const [what, requests] of Object.entries(conversations))
  for (const isPatient of [true, false])
    test(`answers leave byte for byte as Node itself would send them: ${what}, ${isPatient ? 'in turn' : 'at once'}`, async () => {
      const ready = await listening((server) => createReadySender(server, fixed))
      const plain = await listening(() => usual)
      const answer = await conversation(ready.port, requests, isPatient)
      expect(answer).toContain('HTTP/1.1 200 OK\r\n')
      expect(answer).toBe(await conversation(plain.port, requests, isPatient))
    })

test('an answer on a connection that stays open is put together without Node', async () => {
  const ready = await listening((server) => createReadySender(server, fixed))
  await conversation(ready.port, [get('/latin'), get('/wide'), get('/unchanged'), get('/late', close)], true)
  expect(ready.headsMade()).toBe(0)
})
