import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ActingCaller, KnownUser, ServiceCaller, UserCaller } from '../platform/http/caller.ts'
import type { OperationContract } from '../platform/http/contract.ts'
import type { ServicePermission } from './service-grants.ts'

/** A contract with its handler, ready to be mounted. */
export interface Operation<C extends OperationContract = OperationContract> {
  readonly contract: C
  /** Returns the body or a promise of it. Synchronous handlers avoid the cost of a promise. */
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => unknown
  /** Time limit of the whole response, if the default is too short. */
  readonly timeoutMs?: number
}

/** Input of a handler, validated against the contract. */
export interface Input<C extends OperationContract> {
  readonly params: Shape<C['params']>
  readonly query: Shape<C['query']>
  /** The raw bytes if the contract sets `rawBody`; `undefined` without a body. */
  readonly body: C['rawBody'] extends object ? Buffer | undefined : Shape<C['body']>
  /** Absent from operations without a caller. Has the account id if the gate checked a permission. */
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
 * JSON text of the type `T`, built by an SQL statement. The compiler cannot check it; tests validate every response
 * against the contract's schema.
 */
export type JsonText<T> = string & { readonly jsonOf: T }

/** Marks SQL output as the JSON text of a `T` and sets the content type. */
export function jsonText<T>(reply: FastifyReply, text: string): JsonText<T> {
  reply.type('application/json; charset=utf-8')
  // Trust boundary to SQL.
  return text as JsonText<T>
}

/** What a handler may return: a body of one of the contract's 2xx responses, or a reply that it sent itself. */
export type Answer<C extends OperationContract> = AnswerOf<C['answers'][keyof C['answers']]> | FastifyReply

type AnswerOf<A> = A extends { readonly content: infer Contents } ? ContentOf<Contents, keyof Contents> : Nothing

/** A response without a body. */
type Nothing = ReturnType<() => void>

type ContentOf<Contents, Kind extends keyof Contents> = Kind extends 'application/json'
  ? Contents[Kind] extends { readonly schema: infer Schema extends TSchema }
    ? Shared<Static<Schema>> | JsonText<Static<Schema>>
    : never
  : string | Buffer | Readable

/** `T` with every member and list readonly, for shared values. */
type Shared<T> = T extends readonly (infer Item)[]
  ? readonly Shared<Item>[]
  : T extends object
    ? { readonly [Member in keyof T]: Shared<T[Member]> }
    : T

type Handler<C extends OperationContract> = (input: Input<C>) => Answer<C> | Promise<Answer<C>>

/** Ties a handler to its contract; the contract's schemas type the handler. */
export function operation<const C extends OperationContract>(contract: C, handle: Handler<C>): Operation<C> {
  return {
    contract,
    handle(request, reply) {
      const { params, query, body, caller } = request
      // Trust boundary: the server has validated these against the contract's schemas.
      return handle({ params, query, body, caller, request, reply } as Input<C>)
    },
  }
}

/** A table of contracts, each tied to the handler of the same name. */
export function operations<Table extends Readonly<Record<string, OperationContract>>>(
  contracts: Table,
  handlers: { readonly [Name in keyof Table]: Handler<Table[Name]> },
) {
  const names: (keyof Table)[] = Object.keys(contracts)
  const tied = names.map((name) => [name, operation(contracts[name], handlers[name])])
  // A cast, because `fromEntries` loses which name has which operation.
  return Object.fromEntries(tied) as { readonly [Name in keyof Table]: Operation<Table[Name]> }
}
