import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import type { Caller } from './caller.ts'

/** An operation ready to be mounted: what was promised, and who keeps the promise. */
export interface Operation {
  readonly contract: OperationContract
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** How long it may take from the first byte in to the last byte out, where that is longer than usual. */
  readonly timeoutMs?: number
}

/** What a handler gets: input that fits the contract, and the caller where the contract asks for one. */
export interface Input<C extends OperationContract> {
  readonly params: Shape<C['params']>
  readonly query: Shape<C['query']>
  /** The bytes, where the contract asks for them; `undefined` where none were sent. */
  readonly body: C['rawBody'] extends object ? Buffer | undefined : Shape<C['body']>
  readonly caller: C['access'] extends 'caller' ? Caller : undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Shape<Schema> = Schema extends TObject ? Static<Schema> : undefined

/** Ties a handler to its contract, whose schemas give the handler its types. */
export function operation<const C extends OperationContract>(
  contract: C,
  handle: (input: Input<C>) => Promise<unknown>,
): Operation {
  return {
    contract,
    handle(request, reply) {
      const { params, query, body, caller } = request
      // The trust boundary: the server has held these to the contract's schemas before it calls.
      return handle({ params, query, body, caller, request, reply } as Input<C>)
    },
  }
}
