import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networksOf } from './client-address.ts'

export interface ConnectionLimit {
  /** Maximum number of client connections. One network can have half of them. */
  readonly max: number
  /** Called for each connection over `max`, or over its network's half. */
  readonly onReached: () => void
}

export const connectionsLimit = 'client connections'

/** More connections would only waste memory on clients that read nothing. */
const connectionsMaxOfProcess = 10_000

/** Reserved for lazily loaded code, the log, files and Node itself. About 30 are open after the start. */
const descriptorsOfProcess = 64

/**
 * Maximum number of client connections that leaves `others` descriptors for the database and providers. Reserves at least half of all
 * descriptors for clients, because providers rarely need all of theirs.
 */
export function connectionsMax(descriptors: number | undefined, others: number): number {
  if (descriptors === undefined) return connectionsMaxOfProcess
  const reserved = Math.min(descriptorsOfProcess + others, Math.floor(descriptors / 2))
  return Math.min(connectionsMaxOfProcess, descriptors - reserved)
}

/**
 * Makes room for new connections. At `max`, closes the connection that has waited longest for its first request, else the one that has
 * been idle longest between requests, else the new one. Never closes a connection with a request in progress. If the network of the new
 * connection already has half of `max`, closes a connection of that network.
 * Node's `maxConnections` would always reject the new connection, and counts each listening address separately.
 */
export function limitConnections(
  { server }: FastifyInstance,
  { max, onReached }: ConnectionLimit,
  isProxy: (address: string) => boolean,
): void {
  // Sets iterate in insertion order: the first member has waited longest.
  const withoutRequest = new Set<Socket>()
  const betweenRequests = new Set<Socket>()
  /** Number of unanswered requests of each connection. More than one if the client pipelines. */
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
    const networkConnections = networks.add(socket)
    socket.once('close', () => forget(socket))
    const isNetworkFull = networkConnections > Math.max(1, Math.floor(max / 2))
    if (isNetworkFull || count() >= max) {
      onReached()
      const mayClose = isNetworkFull ? networks.sharedWith(socket) : () => true
      const closing = firstOf(withoutRequest, mayClose) ?? firstOf(betweenRequests, mayClose) ?? socket
      forget(closing)
      networks.remove(closing)
      closing.destroy()
      if (closing === socket) return
    }
    withoutRequest.add(socket)
  })
  server.on('request', begin)
  // Emitted instead of `request` if Node does not know the value of Expect.
  server.on('checkExpectation', begin)
}

function firstOf(sockets: ReadonlySet<Socket>, matches: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of sockets) if (matches(socket)) return socket
  return undefined
}

/** Counts open connections by network. Ignores proxies, which connect for many clients. */
function countByNetwork(isProxy: (address: string) => boolean) {
  const networkBySocket = new WeakMap<Socket, string>()
  const counts = new Map<string, number>()

  function remove(socket: Socket): void {
    const network = networkBySocket.get(socket)
    if (network === undefined) return
    networkBySocket.delete(socket)
    const left = (counts.get(network) ?? 1) - 1
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }

  return {
    remove,
    /** Returns the number of connections of its network, including this one. Returns 0 for a proxy. */
    add(socket: Socket): number {
      const { remoteAddress = '' } = socket
      const network = isProxy(remoteAddress) ? undefined : networksOf(remoteAddress).at(-1)
      if (network === undefined) return 0
      const count = (counts.get(network) ?? 0) + 1
      networkBySocket.set(socket, network)
      counts.set(network, count)
      socket.once('close', () => remove(socket))
      return count
    },
    sharedWith(socket: Socket): (other: Socket) => boolean {
      const network = networkBySocket.get(socket)
      return (other) => networkBySocket.get(other) === network
    },
  }
}
