import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
} from 'fastify'
import Type from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { OperationContract, Permission } from '../platform/http/contract.ts'
import { type Deprecation, deprecationHeaders } from '../platform/http/deprecation.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { networkOf } from '../platform/rate-limit/network.ts'
import type { NodeLimits } from '../platform/rate-limit/rate-limits.ts'
import { actAsUser, isActing } from './act-as.ts'
import type { Authenticate } from './authenticate.ts'
import { type Authorize, type AuthorizeOptions, createAuthorize, readPermission } from './authorize.ts'
import { type ActedFor, type Caller, type KnownCaller, type ShownServiceKey, subjectKeyOf } from './caller.ts'
import type { Operation } from './operation.ts'
import { createRequestShares, inShareOf, type RequestShares } from './request-shares.ts'
import { type AuthorizeService, createServiceAuthorization } from './service-callers.ts'
import { isForServices } from './service-grants.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who calls; set where the contract's permission asks for a caller. */
    caller: Caller | undefined
    /** The caller's account; set where the gate has checked a permission. */
    accountId: string | undefined
    /** The user as whom the caller reads; set where the contract lets them and the request asks for it. */
    actedFor: ActedFor | undefined
    /** The caller of either kind; set where a service key can have the permission. */
    knownCaller: KnownCaller | undefined
  }
}

/** What stands between a request and its operation. */
export interface Gate {
  readonly database: Pick<Database, 'query' | 'health'>
  readonly authenticate: Authenticate
  /** Checks the token of the operator's monitoring. */
  readonly checkMetricsToken: (rawHeaders: readonly string[]) => void
  /** Reads and writes of one caller, whichever of their tokens they come with; and reads of one network, without a token. */
  readonly nodeLimits: NodeLimits
}

/** The usual time limit of a handler that waits for something. */
const handlerTimeoutMs = 10_000

/**
 * Mounts operations behind the gate, which checks the permission of the contract before the body is read. The start fails for an
 * operation whose contract names none, is not in `contracts`, or is mounted twice.
 */
export function mount(
  app: FastifyInstance,
  gate: Gate,
  contracts: readonly OperationContract[],
  operations: readonly Operation[],
): void {
  app.decorateRequest('caller', undefined)
  app.decorateRequest('accountId', undefined)
  app.decorateRequest('knownCaller', undefined)
  app.decorateRequest('actedFor', undefined)
  const shares = createRequestShares(gate.database.health().pools.main.max)
  const checks = {
    authorize: createAuthorize(gate.database),
    authorizeService: createServiceAuthorization(gate, shares),
    shares,
  }
  const unmounted = new Set(contracts)
  for (const operation of operations) {
    const { contract } = operation
    if (!unmounted.delete(contract))
      throw new Error(`The operation ${contract.id} is not in contracts.ts, or is mounted twice.`)
    const guard = guardOf(contract, gate, checks)
    app.route({
      method: contract.method,
      url: fastifyPath(contract.path, namesBeside(contract.path, contracts)),
      schema: schemaOf(contract),
      ...bodyLimitOf(contract),
      config: {
        operation: contract.id,
        takesBytes: contract.rawBody !== undefined,
        bodyItemsMax: contract.bodyItemsMax,
        anyHost: contract.anyHost === true,
      },
      ...(guard && { preParsing: guard }),
      ...(contract.body && !contract.rawBody && { preValidation: contract.isBodyOptional ? emptyBody : requireBody }),
      ...(contract.deprecated && { onSend: announce(contract.deprecated) }),
      handler: handlerOf(operation, shares),
    })
  }
}

/**
 * One line of the table in app.ts. The compiler holds method, path and permission to the contract of the operation, so that the table
 * can be believed.
 */
export function route<C extends OperationContract>(
  _place: NoInfer<`${C['method']} ${C['path']}`>,
  _permission: NoInfer<C['permission']>,
  operation: Operation<C>,
): Operation {
  return operation
}

/** The methods that are mounted at a path, `HEAD` beside `GET`; none where there is nothing. */
export function methodsOf(operations: readonly Operation[]): (path: string) => readonly string[] {
  const contracts = operations.map(({ contract }) => contract)
  const routes = contracts.map(({ method, path }) => ({
    method,
    pattern: pathPattern(path, namesBeside(path, contracts)),
  }))
  return (path) => {
    const methods = new Set<string>(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])]
  }
}

/** Of every answer, refusals too; a list that has a `Link` of its own keeps it. */
function announce(deprecated: Deprecation): onSendHookHandler {
  const { link, ...headers } = deprecationHeaders(deprecated)
  return (_request, reply, payload, done) => {
    reply.headers({ ...headers, link: [reply.getHeader('link') ?? [], link].flat().join(', ') })
    done(null, payload)
  }
}

/** Fastify would validate a body that was not sent as if it were `null`. */
const requireBody: preValidationHookHandler = ({ body }, _reply, done) => {
  if (body === undefined) refuse('body_malformed', { detail: 'Send a body in JSON.' })
  done()
}

const emptyBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.body === undefined) request.body = {}
  done()
}

const noParameters = Type.Object({}, { additionalProperties: false })

function schemaOf({ query, params, body, rawBody }: OperationContract) {
  return { querystring: query ?? noParameters, ...(params && { params }), ...(body && !rawBody && { body }) }
}

function bodyLimitOf({ rawBody, bodyBytesMax }: OperationContract) {
  const bodyLimit = rawBody?.bytesMax ?? bodyBytesMax
  return bodyLimit === undefined ? {} : { bodyLimit }
}

interface Checks {
  readonly authorize: Authorize
  readonly authorizeService: AuthorizeService
  readonly shares: RequestShares
}

/** Callback style: of a caller who is known already nothing is awaited. */
function guardOf(
  { id, permission, needs, withInitialPassword, method, path, anyHost, countsItself, actAs }: OperationContract,
  gate: Gate,
  { authorize, authorizeService, shares }: Checks,
): preParsingHookHandler | undefined {
  if (permission === undefined) throw new Error(`The operation ${id} names no permission.`)
  if (needs && (permission === 'public' || permission === 'metrics-token'))
    throw new Error(`The operation ${id} asks for no caller, and needs a level.`)
  if (actAs && (permission !== 'caller' || method !== 'GET'))
    throw new Error(`The operation ${id} is no read of the caller's own, and lets administrators act as the caller.`)
  // Writes without a token have limits of their own, and probes none.
  if (permission === 'public') return method === 'GET' && !anyHost ? limitNetwork(gate) : undefined
  if (permission === 'metrics-token')
    return (request, _reply, _payload, done) => {
      gate.checkMetricsToken(request.raw.rawHeaders)
      done()
    }
  if (readPermission(permission).isInOrganization && !path.includes('{orgId}'))
    throw new Error(`The operation ${id} has no organisation in its path for the permission ${permission}.`)
  const limit = countsItself ? undefined : gate.nodeLimits[method === 'GET' ? 'reads' : 'writes']
  // Operations on the caller's own account ask for a level of sessions of the built-in issuer only, and refuse others themselves.
  const isChecked = (caller: Caller) => permission !== 'caller' || (needs && caller.ownSessionId !== undefined)
  const checkService = async (shown: ShownServiceKey, request: FastifyRequest, reply: FastifyReply) => {
    const organizationId = organizationAsked(request, permission)
    request.knownCaller = await authorizeService(request, reply, shown, { permission, organizationId, limit })
    if (isActing(request)) refuse('act_as_read_only')
  }
  const checkActing = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    // Refused and not ignored: it would be done for the caller, who meant another user.
    if (!actAs) refuse('act_as_read_only')
    const acting = () => actAsUser(gate.database, caller, { request, reply, operation: id })
    request.actedFor = await shares.callers.run(acting, subjectKeyOf(caller))
  }
  const checkCaller = (caller: Caller | ShownServiceKey, request: FastifyRequest, reply: FastifyReply) => {
    if (caller.kind === 'service') return checkService(caller, request, reply)
    request.caller = caller
    request.actor = caller
    if (limit) reply.headers(limit.take(subjectKeyOf(caller)))
    if (isActing(request)) return checkActing(caller, request, reply)
    return isChecked(caller)
      ? authorizeRequest(request, caller, { permission, needs, withInitialPassword }, authorize)
      : undefined
  }
  return (request, reply, _payload, done) => {
    const caller = gate.authenticate(request.raw.rawHeaders)
    const waiting =
      caller instanceof Promise
        ? caller.then((known) => checkCaller(known, request, reply))
        : checkCaller(caller, request, reply)
    if (waiting) waiting.then(() => done(), done)
    else done()
  }
}

/** Who reads without a token is known by the network only. */
function limitNetwork({ nodeLimits }: Gate): preParsingHookHandler {
  return ({ client }, reply, _payload, done) => {
    reply.headers(nodeLimits.reads.take(`network ${networkOf(client.address)}`))
    done()
  }
}

async function authorizeRequest(
  request: FastifyRequest,
  caller: Caller,
  {
    permission,
    ...options
  }: Pick<AuthorizeOptions, 'needs' | 'withInitialPassword'> & { readonly permission: Permission },
  authorize: Authorize,
): Promise<void> {
  const organizationId = organizationAsked(request, permission)
  const account = await authorize(caller, permission, { organizationId, ...options })
  request.accountId = account
  if (isForServices(permission)) request.knownCaller = { kind: 'account', id: account }
  request.actor = { account }
}

function organizationAsked({ params }: FastifyRequest, permission: Permission): string | undefined {
  return readPermission(permission).isInOrganization ? organizationOf(params) : undefined
}

/** The organisation of the path, which is checked here because parameters are validated only after the gate. */
function organizationOf(params: unknown): string {
  const orgId = typeof params === 'object' && params !== null && 'orgId' in params ? params.orgId : undefined
  if (typeof orgId === 'string' && uuidPattern.test(orgId)) return orgId
  return refuse('input_invalid', {
    errors: [{ parameter: 'orgId', detail: 'must be a UUID in lower case' }],
    detail: 'See errors for each fault of the input.',
  })
}

/** Sets the status of the contract's only 2xx answer, and limits the time of a handler that waits for something. */
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

/** The answer, or the problem `overloaded` when it takes too long; a transfer under way is cut then. */
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

/** What is not the last parameter of this path, because it is the end of another one: `fetch` of `/users/fetch`, beside `/users/{userId}`. */
function namesBeside(path: string, contracts: readonly Pick<OperationContract, 'path'>[]): readonly string[] {
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
