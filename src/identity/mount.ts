import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify'
import { type Deprecation, deprecationHeaders, type OperationContract, object } from '../platform/http/contract.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { type Access, createGate } from './gate.ts'
import type { Operation } from './operation.ts'
import { inShareOf, type RequestShares } from './request-shares.ts'

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
  const { hookOf, shares } = createGate(access)
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
      handler: handlerOf(operation, shares),
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
function handlerOf({ contract, handle, timeoutMs = handlerTimeoutMs }: Operation, shares: RequestShares) {
  const [status = 200] = Object.keys(contract.answers)
    .map(Number)
    .filter((code) => code < 300)
  const inShare = inShareOf(contract, shares)
  return (request: FastifyRequest, reply: FastifyReply): unknown => {
    reply.statusCode = status
    const answer = inShare(request, reply, () => handle(request, reply))
    if (!(answer instanceof Promise)) return answer
    return withinTime(answer, reply, timeoutMs)
  }
}

/** Rejects with `overloaded` when the time is over, or closes the connection if the response has started. */
async function withinTime(answer: Promise<unknown>, reply: FastifyReply, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      if (reply.raw.headersSent) reply.raw.destroy()
      else reject(new Problem('overloaded'))
    }, timeoutMs)
    reply.raw.once('close', () => clearTimeout(timer))
  })
  return Promise.race([answer, late])
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
