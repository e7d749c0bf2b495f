import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'

interface ListenSettings {
  readonly host: string
  readonly port: number
  /** Lets several processes listen on this address. The kernel distributes connections. */
  readonly reusesPort: boolean
}

/** Node's default backlog (511) drops connections when many clients reconnect at once. */
const backlog = 4_096

/** Starts to listen and returns the URL. Throws `StartError` for errors that the operator can fix, after closing every socket. */
export async function listen(app: FastifyInstance, settings: ListenSettings): Promise<string> {
  const { host, port, reusesPort: reusePort } = settings
  const socket = { backlog, ...(reusePort && { reusePort }) }
  if (host !== 'localhost') return explain(settings, () => app.listen({ host, port, ...socket }))
  const second = createSecondListener(app)
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
 * Creates a second listener for the same server: `localhost` means both loopback addresses (RFC 6761 §6.3). Fastify would create a separate
 * server for it, without the handlers and limits of the first.
 */
function createSecondListener(app: FastifyInstance): Server {
  // The socket options of Node's HTTP server.
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

/** Ignores the error if the machine has no IPv6. */
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
      throw new StartError(
        `Port ${port} of ${host} is in use: stop the other process, or set MUSTER_PORT to another port.`,
      )
    if (code === 'ENOTSUP')
      throw new StartError(
        'MUSTER_REUSE_PORT works on Linux only: unset it, or set a different MUSTER_PORT for each process.',
      )
    if (code === 'EACCES')
      throw new StartError(`This operating system user may not use port ${port}: set MUSTER_PORT to a port above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`${host} is not an address of this machine: set MUSTER_HOST to an address of this machine.`)
    throw error
  }
}
