import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

export interface FloorOrder {
  /** A raw `node:http` server, or one route of a Fastify with no hooks and no schema. */
  readonly kind: 'http' | 'fastify'
  readonly body: string
  /** Beside `content-length`, and those that Node adds. */
  readonly headers: Readonly<Record<string, string>>
}

/** Servers to compare with: they look for an Authorization header and answer constant bytes. Nothing that a service has is here. */
process.once('message', (order: FloorOrder) => {
  const port = order.kind === 'http' ? startHttp(order) : startFastify(order)
  void port.then((number) => process.send?.(number))
})
process.on('disconnect', () => process.exit())

function startHttp({ body, headers }: FloorOrder): Promise<number> {
  const length = Buffer.byteLength(body)
  const head = { ...headers, 'content-length': length }
  const server = createServer((request, response) => {
    if (request.headers.authorization === undefined) {
      response.writeHead(401).end()
      return
    }
    response.writeHead(200, head)
    // The fastest way that Node has of its own.
    response.end(body, length === body.length ? 'latin1' : 'utf8')
  })
  return new Promise((resolve) => {
    // A TCP server's address has a port.
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function startFastify({ body, headers }: FloorOrder): Promise<number> {
  const app = fastify()
  app.get('/*', (request, reply) => {
    if (request.headers.authorization === undefined) reply.code(401).send()
    else reply.headers(headers).send(body)
  })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}
