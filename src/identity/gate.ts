import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { type Bulkhead, createBulkhead } from '../platform/bulkhead.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { networkOf, widestNetworkOf } from '../platform/http/client-address.ts'
import { actAsHeader, type OperationContract, organizationParameter } from '../platform/http/contract.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { NodeLimit, NodeLimits } from '../platform/rate-limits.ts'
import { actAsUser } from './act-as.ts'
import type { Authenticate, PresentedServiceKey } from './authenticate.ts'
import { type Authorize, createAuthorize, readPermission } from './authorize.ts'
import { isGrantedByOrganizations } from './permission-scope.ts'
import { type AuthorizeService, createServiceAuthorization } from './service-callers.ts'

/** Dependencies of the gate. */
export interface Access {
  readonly database: Pick<Database, 'query' | 'health'>
  readonly authenticate: Authenticate
  /** Checks the token of the monitoring system. */
  readonly checkMetricsToken: (rawHeaders: readonly string[]) => void
  /** Limits of each caller, with any of their tokens, and of each network for reads without a token. */
  readonly nodeLimits: NodeLimits
}

/** Everything that runs before a handler. */
export interface Gate {
  /** The hook that runs before the body is read. Undefined for operations that anyone may call without a limit. */
  readonly hookOf: (contract: OperationContract) => preParsingHookHandler | undefined
  /** Runs the handler of a contract when its caller or network may run one more request. */
  readonly inShareOf: (contract: OperationContract) => InShare
}

interface Checks extends Access {
  readonly shares: RequestShares
  readonly authorize: Authorize
  readonly authorizeService: AuthorizeService
}

export function createGate(access: Access): Gate {
  const { database } = access
  const shares = createRequestShares(database.health().pools.main.max)
  const authorizeService = createServiceAuthorization({ ...access, shares })
  const checks = { ...access, shares, authorize: createAuthorize(database), authorizeService }
  return { hookOf: (contract) => hookOf(checks, contract), inShareOf: (contract) => inShareOf(contract, shares) }
}

function hookOf(checks: Checks, contract: OperationContract): preParsingHookHandler | undefined {
  requireSound(contract)
  const { permission, method, anyHost } = contract
  if (permission === 'metrics-token') return hookOfSteps([checkMonitoring(checks)])
  // Writes without a token have their own limits; health probes have none.
  if (permission === 'public') return method === 'GET' && !anyHost ? hookOfSteps([countNetwork(checks)]) : undefined
  const ofUser = stepsOfUser(checks, contract)
  const ofService = stepsOfService(checks, contract)
  return (request, reply, _payload, done) => {
    const pass = (by: UserCaller | PresentedServiceKey) =>
      by.kind === 'user' ? run(ofUser, by, request, reply) : run(ofService, by, request, reply)
    const by = checks.authenticate(request.raw.rawHeaders)
    const waiting = by instanceof Promise ? by.then(pass) : pass(by)
    if (waiting) waiting.then(() => done(), done)
    else done()
  }
}

/** Returns to continue, or throws a problem. A step that awaits nothing returns no promise. */
type Step<By> = (by: By, request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined

/** Steps for a user's request, in order. */
const stepsOfUser = (checks: Checks, contract: OperationContract): readonly Step<UserCaller>[] => [
  setCaller,
  countCall(checks, contract),
  refuseActing(contract),
  actAs(checks, contract),
  checkPermission(checks, contract),
]

const stepsOfService = (checks: Checks, contract: OperationContract): readonly Step<PresentedServiceKey>[] => [
  checkServiceKey(checks, contract),
  refuseActing({}),
]

function setCaller(user: UserCaller, request: FastifyRequest): undefined {
  request.caller = user
}

function countCall(checks: Checks, contract: OperationContract): Step<UserCaller> {
  const limit = limitOf(checks, contract)
  return ({ key }, _request, reply) => {
    if (limit) reply.headers(limit.take(key))
    return undefined
  }
}

function limitOf({ nodeLimits }: Checks, { countsItself, method }: OperationContract): NodeLimit | undefined {
  return countsItself ? undefined : nodeLimits[method === 'GET' ? 'reads' : 'writes']
}

/** The header must not be ignored: the operation would apply to the caller instead of the user that they meant. */
function refuseActing({ actAs: mayAct }: Pick<OperationContract, 'actAs'>): Step<unknown> {
  return (_by, { headers }) => (!mayAct && headers[actAsHeader] !== undefined ? refuse('act_as_read_only') : undefined)
}

function actAs({ database, shares }: Checks, { id }: OperationContract): Step<UserCaller> {
  return (user, request, reply) => {
    if (request.headers[actAsHeader] === undefined) return undefined
    return shares.callers.run(async () => {
      request.caller = await actAsUser(database, user, { request, reply, operation: id })
    }, user.key)
  }
}

function checkPermission({ authorize }: Checks, contract: OperationContract): Step<UserCaller> {
  const { permission, needs, withInitialPassword } = contract
  const namedOrganization = organizationOf(contract)
  const check = async (user: UserCaller, request: FastifyRequest) => {
    const organizationId = namedOrganization(request)
    const accountId = await authorize(user, permission, { organizationId, needs, withInitialPassword })
    request.caller = { ...user, accountId }
  }
  if (permission !== 'caller') return check
  // Operations on the caller's own account require a level only of built-in sessions, and reject other sessions
  // themselves.
  return (user, request) => (needs && user.ownSessionId !== undefined ? check(user, request) : undefined)
}

function checkServiceKey(checks: Checks, contract: OperationContract): Step<PresentedServiceKey> {
  const { permission } = contract
  const limit = limitOf(checks, contract)
  const namedOrganization = organizationOf(contract)
  return (key, request, reply) => {
    const organizationId = namedOrganization(request)
    return checks.authorizeService(request, reply, key, { permission, organizationId, limit })
  }
}

/** Unauthenticated requests are limited by network. */
function countNetwork({ nodeLimits }: Checks): Step<void> {
  return (_by, { client }, reply) => {
    reply.headers(nodeLimits.reads.take(`network ${networkOf(client.address)}`))
    return undefined
  }
}

function checkMonitoring({ checkMetricsToken }: Checks): Step<void> {
  return (_by, { raw }) => {
    checkMetricsToken(raw.rawHeaders)
    return undefined
  }
}

function hookOfSteps(steps: readonly Step<void>[]): preParsingHookHandler {
  return (request, reply, _payload, done) => {
    run(steps, undefined, request, reply)
    done()
  }
}

/** Awaits nothing while all steps are synchronous, as they are for a cached caller. */
function run<By>(
  steps: readonly Step<By>[],
  by: By,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  let next = 0
  for (const step of steps) {
    next += 1
    const waiting = step(by, request, reply)
    if (waiting) return waiting.then(() => run(steps.slice(next), by, request, reply))
  }
  return undefined
}

/** Throws for a contradictory contract, so that the service does not start. */
function requireSound(contract: OperationContract): void {
  const { id, permission, needs, method, path, actAs } = contract
  const hasNoCaller = permission === 'public' || permission === 'metrics-token'
  if (permission === undefined) throw new Error(`The operation ${id} names no permission.`)
  if (needs && hasNoCaller) throw new Error(`The operation ${id} requires a level but no caller.`)
  if (actAs && (permission !== 'caller' || method !== 'GET' || needs))
    throw new Error(`The operation ${id} sets actAs but does not read the caller's own data.`)
  if (!hasNoCaller && readPermission(permission).isInOrganization && !path.includes('{orgId}'))
    throw new Error(`The operation ${id} has no {orgId} in its path for the permission ${permission}.`)
  if (placeOfOrganization(contract) === 'query' && contract.query?.properties.orgId !== organizationParameter.orgId)
    throw new Error(`The operation ${id} has no organizationParameter for the permission ${permission}.`)
}

/** Where a request names the organization whose role counts. */
function placeOfOrganization({ permission }: OperationContract): 'params' | 'query' | undefined {
  if (permission === 'public' || permission === 'metrics-token') return undefined
  const { grant, isInOrganization } = readPermission(permission)
  if (isInOrganization) return 'params'
  return grant && isGrantedByOrganizations(grant) ? 'query' : undefined
}

/**
 * Reads the organization that a request names. The gate checks its format, because Fastify validates parameters only
 * later.
 */
function organizationOf(contract: OperationContract): (request: FastifyRequest) => string | undefined {
  const place = placeOfOrganization(contract)
  if (place === undefined) return () => undefined
  return ({ [place]: parameters }) => {
    const orgId =
      typeof parameters === 'object' && parameters !== null && 'orgId' in parameters ? parameters.orgId : undefined
    if (orgId === undefined && place === 'query') return undefined
    if (typeof orgId === 'string' && uuidPattern.test(orgId)) return orgId
    return refuse('input_invalid', {
      errors: [{ parameter: 'orgId', detail: 'must be a UUID in lower case' }],
      detail: 'See `errors` for every invalid value.',
    })
  }
}

/**
 * Limits how many requests of one caller, or of one network without a token, run at the same time. The others wait.
 * Otherwise one caller with a thousand requests would take every database connection.
 */
interface RequestShares {
  readonly callers: Bulkhead
  readonly networks: Bulkhead
}

/** One caller can use half of the database connections. */
function createRequestShares(connectionsMax: number): RequestShares {
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

/** Runs `work` in the share of the request's caller or network. */
type InShare = (request: FastifyRequest, reply: FastifyReply, work: () => unknown) => unknown

function inShareOf(contract: OperationContract, { callers, networks }: RequestShares): InShare {
  if (!isShared(contract)) return (_request, _reply, work) => work()
  return ({ caller, client }, reply, work) => {
    const unlessOver = () => (isOver(reply) ? reply : work())
    if (caller) return callers.start(unlessOver, caller.key)
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
