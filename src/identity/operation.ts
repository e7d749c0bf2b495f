import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ActingCaller, KnownUser, ServiceCaller, UserCaller } from '../platform/http/caller.ts'
import type { OperationContract } from '../platform/http/contract.ts'
import type { ServicePermission } from './service-grants.ts'

/** An operation ready to be mounted: its contract, and the handler that keeps it. */
export interface Operation<C extends OperationContract = OperationContract> {
  readonly contract: C
  /** Answers the body, or a promise of it. A handler that awaits nothing is not slowed down by one. */
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown
  /** Time limit of the whole answer where the usual one is too short. */
  readonly timeoutMs?: number
}

/** Input of a handler. The server has held it to the contract before it calls. */
export interface Input<C extends OperationContract> {
  readonly params: Shape<C['params']>
  readonly query: Shape<C['query']>
  /** The bytes, where the contract asks for them; `undefined` where none were sent. */
  readonly body: C['rawBody'] extends object ? Buffer | undefined : Shape<C['body']>
  /** As the gate leaves it: absent from operations without a caller, and with the account where it has checked a permission. */
  readonly caller: CallerOf<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Shape<Schema> = Schema extends TObject ? Static<Schema> : undefined

type CallerOf<C extends OperationContract> = C['permission'] extends 'public' | 'metrics-token'
  ? undefined
  : C['permission'] extends ServicePermission
    ? KnownUser | ServiceCaller
    : C['actAs'] extends true
      ? UserCaller | ActingCaller
      : C['permission'] extends 'caller'
        ? UserCaller
        : KnownUser

/**
 * Text of a JSON value of the type `T` that a statement made. The compiler cannot look into it: tests hold every answer to the
 * contract's schema.
 */
export type JsonText<T> = string & { readonly jsonOf: T }

/** Marks what a statement made as the JSON text of a `T`, and sets its content type. */
export function jsonText<T>(reply: FastifyReply, text: string): JsonText<T> {
  reply.type('application/json; charset=utf-8')
  // The trust boundary to SQL.
  return text as JsonText<T>
}

/** What a handler may answer: a body of one of the contract's 2xx answers, or a reply that it has sent itself. */
export type Answer<C extends OperationContract> = AnswerOf<C['answers'][keyof C['answers']]> | FastifyReply

type AnswerOf<A> = A extends { readonly content: infer Contents } ? ContentOf<Contents, keyof Contents> : Nothing

/** Of an answer without a body. */
type Nothing = ReturnType<() => void>

type ContentOf<Contents, Kind extends keyof Contents> = Kind extends 'application/json'
  ? Contents[Kind] extends { readonly schema: infer Schema extends TSchema }
    ? Shared<Static<Schema>> | JsonText<Static<Schema>>
    : never
  : string | Buffer | Readable

/** The same type for values that are shared: every member and list readonly. */
type Shared<T> = T extends readonly (infer Item)[]
  ? readonly Shared<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: Shared<T[Member]> }
    : T

/** Ties a handler to its contract, whose schemas give the handler its types. */
export function operation<const C extends OperationContract>(
  contract: C,
  handle: (input: Input<C>) => Answer<C> | Promise<Answer<C>>,
): Operation<C> {
  return {
    contract,
    handle(request, reply) {
      const { params, query, body, caller } = request
      // The trust boundary: the server has held these to the contract's schemas before it calls.
      return handle({ params, query, body, caller, request, reply } as Input<C>)
    },
  }
}
