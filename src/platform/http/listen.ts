import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'

export interface ListenSettings {
  readonly host: string
  readonly port: number
  /** Several processes may listen on this address; the kernel spreads connections over them. */
  readonly reusesPort: boolean
}

/** Connections that the kernel holds until the service accepts them. Node's default of 511 rejects clients that all reconnect at once. */
const backlog = 4_096

/** The address that was bound. Throws `StartError` where the operator can help it; then nothing listens any more. */
export async function listen(app: FastifyInstance, settings: ListenSettings): Promise<string> {
  const { host, port, reusesPort: reusePort } = settings
  const socket = { backlog, ...(reusePort && { reusePort }) }
  if (host !== 'localhost') return explain(settings, () => app.listen({ host, port, ...socket }))
  const second = serverBeside(app)
  const address = await explain(settings, () => app.listen({ host: '127.0.0.1', port, ...socket }))
  try {
    await explain(settings, () => listenOnIpv6(second, { port: Number(new URL(address).port), ...socket }))
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
async function listenOnIpv6(server: Server, settings: ListenOptions): Promise<void> {
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
    if (code === 'ENOTSUP')
      throw new StartError('MUSTER_REUSE_PORT works on Linux only: unset it, or give each process a port of its own.')
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this user: set MUSTER_PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine: set MUSTER_HOST to one that is.`)
    throw error
  }
}
