import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Bulkhead, createBulkhead } from '../platform/bulkhead.ts'
import { counterKeyOf } from '../platform/http/caller.ts'
import type { OperationContract } from '../platform/http/contract.ts'
import { Problem } from '../platform/problems.ts'
import { networksOf } from '../platform/rate-limit/network.ts'

/**
 * Requests of one caller, or of one network without a token, that the service works on at once. The others wait for them: otherwise a
 * caller with a thousand requests takes every database connection, and everyone else is refused.
 */
export interface RequestShares {
  readonly callers: Bulkhead
  readonly networks: Bulkhead
}

/** A caller can have half of the database connections. */
export function createRequestShares(connectionsMax: number): RequestShares {
  const share = (running: number) =>
    createBulkhead(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, {
      running,
      waitMs: requestWaitMs,
      refusal: () => new Problem('overloaded', { detail: 'Too many of your requests wait.', retryAfterSeconds: 1 }),
    })
  return { callers: share(Math.ceil(connectionsMax / 2)), networks: share(requestsOfNetworkMax) }
}

/** As long as a handler may take. */
const requestWaitMs = 10_000

/**
 * A quarter of the requests that may wait for a connection. Statements without a token are short. It is far above the attempts to
 * sign in that one network has, because those wait for their turn of hashing.
 */
const requestsOfNetworkMax = 250

/** How an operation runs its handler: in the share of the caller, or at once. */
export function inShareOf(contract: OperationContract, { callers, networks }: RequestShares) {
  if (!isShared(contract)) return (_request: FastifyRequest, _reply: FastifyReply, work: () => unknown) => work()
  return (request: FastifyRequest, reply: FastifyReply, work: () => unknown): unknown => {
    const { caller, client } = request
    const unlessOver = () => (isOver(reply) ? reply : work())
    if (caller) return callers.start(unlessOver, counterKeyOf(caller))
    const network = widestNetworkOf(client)
    return network === undefined ? work() : networks.start(unlessOver, network)
  }
}

/** Key checks have shares of their own. Reading without a token costs no statement. */
function isShared({ permission, method, countsItself }: OperationContract): boolean {
  return !countsItself && permission !== 'metrics-token' && (permission !== 'public' || method !== 'GET')
}

/** The request was answered, or its client has left, while it waited. */
function isOver({ sent, raw }: FastifyReply): boolean {
  return sent || raw.destroyed
}

/** None behind a proxy that is not trusted, which gives all of its clients one address. */
export function widestNetworkOf({ address, isShared }: FastifyRequest['client']): string | undefined {
  return isShared ? undefined : networksOf(address).at(-1)
}
