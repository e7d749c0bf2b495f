import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Of the connections of clients. */
export interface ConnectionLimit {
  readonly max: number
  /** Called for each connection that is more than `max`. */
  readonly onReached: () => void
}

export const connectionsLimit = 'client connections'

/** More than one process serves well; beyond it clients that read nothing take the memory. */
const connectionsMaxOfProcess = 10_000

/** For code that is loaded when it is first needed, log, files, and what Node opens for itself. About 30 are open after the start. */
const descriptorsOfProcess = 64

/**
 * How many connections of clients leave enough descriptors for everything else: `others` for the database and providers. At least half
 * of all descriptors are for clients, because providers seldom need their share.
 */
export function connectionsMax(descriptors: number | undefined, others: number): number {
  if (descriptors === undefined) return connectionsMaxOfProcess
  const reserved = Math.min(descriptorsOfProcess + others, Math.floor(descriptors / 2))
  return Math.min(connectionsMaxOfProcess, descriptors - reserved)
}

/**
 * Keeps room for newcomers: at `max` connections each newcomer takes the place of the connection that has waited longest for its first
 * request, or else of the one that has waited longest for its next. A connection with a request in progress is never closed; where all
 * have one, the newcomer is. Node's `maxConnections` would refuse the newcomer in any case, and counts each listening address alone.
 */
export function limitConnections({ server }: FastifyInstance, { max, onReached }: ConnectionLimit): void {
  // A set iterates in the order of insertion: the first member has waited longest.
  const withoutRequest = new Set<Socket>()
  const betweenRequests = new Set<Socket>()
  /** Requests of each connection that are not answered yet: pipelined ones wait. */
  const unanswered = new Map<Socket, number>()

  function count(): number {
    return withoutRequest.size + betweenRequests.size + unanswered.size
  }

  function forget(socket: Socket): void {
    withoutRequest.delete(socket)
    betweenRequests.delete(socket)
    unanswered.delete(socket)
  }

  function begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const before = unanswered.get(socket) ?? 0
    forget(socket)
    unanswered.set(socket, before + 1)
    response.once('close', () => end(socket))
  }

  function end(socket: Socket): void {
    const left = (unanswered.get(socket) ?? 0) - 1
    if (left > 0) return void unanswered.set(socket, left)
    if (unanswered.delete(socket)) betweenRequests.add(socket)
  }

  function close(socket: Socket): void {
    forget(socket)
    socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    socket.once('close', () => forget(socket))
    if (count() >= max) {
      onReached()
      const [waiting = socket] = withoutRequest.size > 0 ? withoutRequest : betweenRequests
      close(waiting)
      if (waiting === socket) return
    }
    withoutRequest.add(socket)
  })
  server.on('request', begin)
  // In place of `request`, where the header Expect has a value that Node does not know.
  server.on('checkExpectation', begin)
}
