import type { Readable } from 'node:stream'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ActingCaller, KnownUser, ServiceCaller, UserCaller } from '../platform/http/caller.ts'
import { type Deprecation, deprecationHeaders, type OperationContract, object } from '../platform/http/contract.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { type Access, createGate, type Gate } from './gate.ts'
import type { ServicePermission } from './permission-scope.ts'

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

/** The only organization that a service key can access. Undefined for users and unrestricted keys. */
export function onlyOrganizationOf(caller: UserCaller | ServiceCaller): string | undefined {
  return caller.kind === 'service' ? caller.organizationId : undefined
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

/** Time limit of an asynchronous handler. */
const handlerTimeoutMs = 10_000

/**
 * Registers operations behind the gate, which checks the contract's permission before the body is read. Throws at the
 * start if a contract names no permission, is not in `contracts`, or is mounted twice.
 */
export function mount(
  app: FastifyInstance,
  access: Access,
  contracts: readonly OperationContract[],
  operations: readonly Operation[],
): void {
  const { hookOf, inShareOf } = createGate(access)
  const unmounted = new Set(contracts)
  for (const operation of operations) {
    const { contract } = operation
    if (!unmounted.delete(contract))
      throw new Error(`The operation ${contract.id} is not in contracts.ts, or is mounted twice.`)
    const gate = hookOf(contract)
    app.route({
      method: contract.method,
      url: fastifyPath(contract.path, siblingNames(contract.path, contracts)),
      schema: schemaOf(contract),
      ...bodyLimitOf(contract),
      config: {
        operation: contract.id,
        takesBytes: contract.rawBody !== undefined,
        bodyItemsMax: contract.bodyItemsMax,
        anyHost: contract.anyHost === true,
      },
      ...(gate && { preParsing: gate }),
      ...(contract.body && !contract.rawBody && { preValidation: contract.isBodyOptional ? emptyBody : requireBody }),
      ...(contract.deprecated && { onSend: addDeprecationHeaders(contract.deprecated) }),
      handler: handlerOf(operation, inShareOf(operation.contract)),
    })
  }
}

/**
 * One line of the table in app.ts. The compiler checks method, path and permission against the contract, so the table
 * cannot be wrong.
 */
export function route<C extends OperationContract>(
  _methodAndPath: NoInfer<`${C['method']} ${C['path']}`>,
  _permission: NoInfer<C['permission']>,
  operation: Operation<C>,
): Operation {
  return operation
}

/** Returns the methods of a path, including `HEAD` with `GET`. Empty for an unknown path. */
export function methodsOf(operations: readonly Operation[]): (path: string) => readonly string[] {
  const contracts = operations.map(({ contract }) => contract)
  const routes = contracts.map(({ method, path }) => ({
    method,
    pattern: pathPattern(path, siblingNames(path, contracts)),
  }))
  return (path) => {
    const methods = new Set<string>(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])]
  }
}

/** Adds the headers to every response, errors included, and keeps an existing `Link`. */
function addDeprecationHeaders(deprecated: Deprecation): onSendHookHandler {
  const { link, ...headers } = deprecationHeaders(deprecated)
  return (_request, reply, payload, done) => {
    reply.headers({ ...headers, link: [reply.getHeader('link') ?? [], link].flat().join(', ') })
    done(null, payload)
  }
}

/** Fastify would validate a missing body as `null`. */
const requireBody: preValidationHookHandler = ({ body }, _reply, done) => {
  if (body === undefined) refuse('body_malformed', { detail: 'Send a JSON body.' })
  done()
}

const emptyBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}

const noParameters = object({})

function schemaOf({ query, params, body, rawBody }: OperationContract) {
  return { querystring: query ?? noParameters, ...(params && { params }), ...(body && !rawBody && { body }) }
}

function bodyLimitOf({ rawBody, bodyBytesMax }: OperationContract) {
  const bodyLimit = rawBody?.bytesMax ?? bodyBytesMax
  return bodyLimit === undefined ? {} : { bodyLimit }
}

/** Sets the contract's only 2xx status, and limits the time of an asynchronous handler. */
function handlerOf(
  { contract, handle, timeoutMs = handlerTimeoutMs }: Operation,
  inShare: ReturnType<Gate['inShareOf']>,
) {
  const [status = 200] = Object.keys(contract.answers)
    .map(Number)
    .filter((code) => code < 300)
  return (request: FastifyRequest, reply: FastifyReply): unknown => {
    reply.statusCode = status
    const answer = inShare(request, reply, () => handle(request, reply))
    if (!(answer instanceof Promise)) return answer
    return withinTime(answer, reply, timeoutMs)
  }
}

/** Rejects with `overloaded` when the time is over, or closes the connection if the response has started. */
function withinTime(answer: Promise<unknown>, reply: FastifyReply, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (reply.raw.headersSent) reply.raw.destroy()
      else reject(new Problem('overloaded'))
    }, timeoutMs)
    reply.raw.once('close', () => clearTimeout(timer))
    answer.then(resolve, reject)
  })
}

/**
 * Names that the last parameter of this path must not match, because they end another path: `fetch` of `/users/fetch`
 * for `/users/{userId}`.
 */
function siblingNames(path: string, contracts: readonly Pick<OperationContract, 'path'>[]): readonly string[] {
  const [, parent] = /^(.*\/)\{\w+\}$/.exec(path) ?? []
  if (parent === undefined) return []
  const names = contracts.flatMap((other) => (other.path.startsWith(parent) ? [other.path.slice(parent.length)] : []))
  return [...new Set(names)].filter((name) => /^[\w-]+$/.test(name))
}

const except = (names: readonly string[]) => (names.length === 0 ? '' : `(?!(?:${names.join('|')})$)`)

/** `/users/{userId}` → `/users/:userId`. */
function fastifyPath(path: string, names: readonly string[]): string {
  const last = names.length === 0 ? '' : `(^${except(names)}.*$)`
  return `${path.replaceAll(/\{(\w+)\}/g, ':$1')}${last}`
}

function pathPattern(path: string, names: readonly string[]): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  const last = literal.replace(/\{\w+\}$/, `${except(names)}[^/]+`)
  return new RegExp(`^${last.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
