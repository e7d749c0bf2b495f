import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'

export interface ListenSettings {
  readonly host: string
  readonly port: number
  /** Connections that the kernel holds until the service accepts them. */
  readonly listenBacklog: number
}

/** The address that was bound. Throws `StartError` where the operator can help it; then nothing listens any more. */
export async function listen(app: FastifyInstance, settings: ListenSettings): Promise<string> {
  const { host, port, listenBacklog: backlog } = settings
  if (host !== 'localhost') return explain(settings, () => app.listen({ host, port, backlog }))
  const second = serverBeside(app)
  const address = await explain(settings, () => app.listen({ host: '127.0.0.1', port, backlog }))
  try {
    await explain(settings, () => listenOnIpv6(second, { port: Number(new URL(address).port), backlog }))
  } catch (error) {
    await app.close()
    throw error
  }
  return address
}

/**
 * A second address of the same server. `localhost` is both loopback addresses (RFC 6761 §6.3). For the second one Fastify would make a
 * server of its own, without the handlers and limits of the first.
 */
function serverBeside(app: FastifyInstance): Server {
  // As Node's HTTP server accepts its connections.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket))
  let closed: Promise<unknown> = Promise.resolve()
  app.addHook('preClose', (done) => {
    if (server.listening) {
      closed = once(server, 'close')
      server.close()
    }
    done()
  })
  app.addHook('onClose', () => closed)
  return server
}

/** Does without IPv6 where the machine has none. */
async function listenOnIpv6(server: Server, settings: { port: number; backlog: number }): Promise<void> {
  server.listen({ host: '::1', ...settings })
  try {
    await once(server, 'listening')
  } catch (error) {
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(error) ?? '')) throw error
  }
}

async function explain<T>({ host, port }: ListenSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} of ${host} is taken: stop what listens there, or set MUSTER_PORT to another.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set MUSTER_PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine: set MUSTER_HOST to one that is.`)
    throw error
  }
}
