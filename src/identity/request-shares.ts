import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Bulkhead, createBulkhead } from '../platform/bulkhead.ts'
import { counterKeyOf } from '../platform/http/caller.ts'
import type { OperationContract } from '../platform/http/contract.ts'
import { Problem } from '../platform/problems.ts'
import { networksOf } from '../platform/rate-limit/network.ts'

/**
 * Limits how many requests of one caller, or of one network without a token, run at the same time. The others wait.
 * Otherwise one caller with a thousand requests would take every database connection.
 */
export interface RequestShares {
  readonly callers: Bulkhead
  readonly networks: Bulkhead
}

/** One caller can use half of the database connections. */
export function createRequestShares(connectionsMax: number): RequestShares {
  const share = (running: number) =>
    createBulkhead(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, {
      running,
      waitMs: requestWaitMs,
      refusal: () =>
        new Problem('overloaded', { detail: 'Too many of your requests are waiting.', retryAfterSeconds: 1 }),
    })
  return { callers: share(Math.ceil(connectionsMax / 2)), networks: share(requestsOfNetworkMax) }
}

/** The same as the time limit of a handler. */
const requestWaitMs = 10_000

/**
 * A quarter of the requests that may wait for a connection; statements without a token are short. Far above the sign-in
 * attempts of one network, which queue for password hashing.
 */
const requestsOfNetworkMax = 250

/** Runs a handler in the share of its caller or network, or immediately if the operation has no share. */
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

/** Key checks have their own limits. Public reads run no statement. */
function isShared({ permission, method, countsItself }: OperationContract): boolean {
  return !countsItself && permission !== 'metrics-token' && (permission !== 'public' || method !== 'GET')
}

/** The request was answered or its client disconnected while it waited. */
function isOver({ sent, raw }: FastifyReply): boolean {
  return sent || raw.destroyed
}

/** The widest network of the client. Undefined behind an untrusted proxy, because all its clients share one address. */
export function widestNetworkOf({ address, isShared }: FastifyRequest['client']): string | undefined {
  return isShared ? undefined : networksOf(address).at(-1)
}
