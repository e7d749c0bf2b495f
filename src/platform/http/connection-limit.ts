import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networksOf } from '../rate-limit/network.ts'

/** Of the connections of clients. */
export interface ConnectionLimit {
  /** In all. One network can have half of them. */
  readonly max: number
  /** Called for each connection that is more than `max`, or more than its network's half. */
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
 * have one, the newcomer is. A newcomer whose network has half of `max` takes the place of a connection from there. Node's
 * `maxConnections` would refuse the newcomer in any case, and counts each listening address alone.
 */
export function limitConnections(
  { server }: FastifyInstance,
  { max, onReached }: ConnectionLimit,
  isProxy: (address: string) => boolean,
): void {
  // A set iterates in the order of insertion: the first member has waited longest.
  const withoutRequest = new Set<Socket>()
  const betweenRequests = new Set<Socket>()
  /** Requests of each connection that are not answered yet: pipelined ones wait. */
  const unanswered = new Map<Socket, number>()
  const networks = countByNetwork(isProxy)

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

  server.on('connection', (socket: Socket) => {
    const ofNetwork = networks.add(socket)
    socket.once('close', () => forget(socket))
    const isOverShare = ofNetwork > Math.max(1, Math.floor(max / 2))
    if (isOverShare || count() >= max) {
      onReached()
      const mayClose = isOverShare ? networks.sharedWith(socket) : () => true
      const closing = firstOf(withoutRequest, mayClose) ?? firstOf(betweenRequests, mayClose) ?? socket
      forget(closing)
      networks.remove(closing)
      closing.destroy()
      if (closing === socket) return
    }
    withoutRequest.add(socket)
  })
  server.on('request', begin)
  // In place of `request`, where the header Expect has a value that Node does not know.
  server.on('checkExpectation', begin)
}

function firstOf(sockets: ReadonlySet<Socket>, holds: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of sockets) if (holds(socket)) return socket
  return undefined
}

/** Open connections of each network. Proxies have none, because any number of clients connect from their addresses. */
function countByNetwork(isProxy: (address: string) => boolean) {
  const networkOf = new WeakMap<Socket, string>()
  const counts = new Map<string, number>()

  function remove(socket: Socket): void {
    const network = networkOf.get(socket)
    if (network === undefined) return
    networkOf.delete(socket)
    const left = (counts.get(network) ?? 1) - 1
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }

  return {
    remove,
    /** Returns the connections of its network, this one included; 0 for a proxy. */
    add(socket: Socket): number {
      const { remoteAddress = '' } = socket
      const network = isProxy(remoteAddress) ? undefined : networksOf(remoteAddress).at(-1)
      if (network === undefined) return 0
      const count = (counts.get(network) ?? 0) + 1
      networkOf.set(socket, network)
      counts.set(network, count)
      socket.once('close', () => remove(socket))
      return count
    },
    sharedWith(socket: Socket): (other: Socket) => boolean {
      const network = networkOf.get(socket)
      return (other) => networkOf.get(other) === network
    },
  }
}
