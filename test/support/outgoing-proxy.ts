import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { untrustedCert, untrustedKey } from './untrusted-tls.ts'

/** What the proxy does with CONNECT: opens the connection, answers a status, accepts it and then closes, or never answers. */
type Behavior = 'open' | 'close' | 'silence' | number

/** An HTTP proxy that really forwards connections, on loopback. To it, every name is this machine. */
export interface TestProxy {
  /** With a user name and password. */
  readonly url: string
  /** Host and port. */
  readonly name: string
  /** The targets of CONNECT, in order. */
  readonly asked: string[]
  /** Its `Proxy-Authorization` headers, in order. */
  readonly authorizations: unknown[]
  /** Requests other than CONNECT. */
  readonly others: string[]
  readonly password: string
  behavior: Behavior
  /** The status line of an opened connection. */
  statusLine: string
}

export async function proxyForTest({ isTls = false } = {}): Promise<TestProxy> {
  const server = isTls ? createTlsServer({ key: untrustedKey, cert: untrustedCert }) : createServer()
  const password = `p@ss:${Math.random().toString(36).slice(2)}`
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  }
  server.on('connection', track).on('secureConnection', track).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // The trust boundary to Node: a TCP server has an address of this form.
  const { port } = server.address() as AddressInfo
  const name = `127.0.0.1:${port}`
  const url = `${isTls ? 'https' : 'http'}://operator:${encodeURIComponent(password)}@${name}`
  const statusLine = 'HTTP/1.1 200 Connection established'
  const proxy: TestProxy = {
    ...{ url, name, password, statusLine, behavior: 'open' },
    ...{ asked: [], authorizations: [], others: [] },
  }
  forward(server, proxy, track)
  return proxy
}

function forward(server: Server, proxy: TestProxy, track: (socket: Socket) => void): void {
  server.on('request', (request, response) => {
    proxy.others.push(`${request.method} ${request.url}`)
    response.writeHead(501).end()
  })
  server.on('connect', (request, client: Socket, head: Buffer) => {
    const target = request.url ?? ''
    proxy.asked.push(target)
    proxy.authorizations.push(request.headers['proxy-authorization'])
    track(client)
    const { behavior } = proxy
    if (behavior === 'silence') return
    if (behavior === 'close') return void client.destroy()
    if (behavior !== 'open') {
      const answer = JSON.stringify({ success: false, errors: [{ code: 1000, message: 'Invalid API Token' }] })
      return void client.end(`HTTP/1.1 ${behavior} No\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`)
    }
    const upstream = connect(Number(/:(\d+)$/.exec(target)?.[1]), '127.0.0.1')
    track(upstream)
    upstream.once('connect', () => {
      client.write(`${proxy.statusLine}\r\n\r\n`)
      upstream.write(head)
      client.pipe(upstream).pipe(client)
    })
    upstream.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
}
