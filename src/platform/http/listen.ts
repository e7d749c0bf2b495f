import type { FastifyInstance } from 'fastify'
import { errorCode } from '../error-code.ts'
import { StartError } from '../start-error.ts'

export interface ListenSettings {
  readonly host: string
  readonly port: number
  /** Connections that the kernel holds until the service accepts them. */
  readonly listenBacklog: number
}

/** The address that was bound. Throws `StartError` where the operator can help it. */
export async function listen(
  app: FastifyInstance,
  { host, port, listenBacklog: backlog }: ListenSettings,
): Promise<string> {
  try {
    return await app.listen({ host, port, backlog })
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
