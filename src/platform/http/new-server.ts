import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify, LogController } from 'fastify'
import { errorCode } from '../error-code.ts'
import { Problem, type ProblemCode } from '../problems.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Caller } from './caller.ts'
import { type ClientAddress, clientAddressReader, proxyTest, type UntrustedProxies } from './client-address.ts'
import { type ConnectionLimit, limitConnections } from './connection-limit.ts'
import { defaultHeaders } from './default-headers.ts'
import { compileValidator, parseQuery } from './input.ts'
import { problemAnswer, sendProblem } from './problem-answer.ts'
import { readBodies } from './read-body.ts'
import { createHeadCheck, headBytesMax, type MethodsAt, routedUrl } from './request-head.ts'
import { type Records, recordRawResponse, recordRequests } from './request-log.ts'
import { traceRequests } from './trace-requests.ts'

export interface ServerSettings {
  readonly trustedProxies: readonly string[]
  readonly untrustedProxies: UntrustedProxies
  /** While true, every response closes its connection. */
  readonly isDraining: () => boolean
  readonly connectionLimit: ConnectionLimit
  /** Accepted host names. Undefined accepts all. */
  readonly hostNames?: readonly string[] | undefined
  readonly tracing?: Tracing | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client, according to trusted proxies. Replaces Fastify's `ip`, which accepts any text as an address. */
    client: ClientAddress
    /** The error behind a 5xx response, for the log. */
    failure: unknown
    /** True once a problem is being sent. Hooks may still delay it. */
    isRefused: boolean
    /** True if the response closes the connection. */
    isLast: boolean
    /** Who is calling. Set by the gate if the operation requires a caller. */
    caller: Caller | undefined
    /** The account in the log line of a rejected request, for operations without a token. */
    refusedAccount: string | undefined
  }
  interface FastifyContextConfig {
    /** ID of the operation in the contract. */
    operation?: string
    /** Accepts any Host header: probes use any address of the node. */
    anyHost?: boolean
  }
}

/** Default maximum size of a body. The longest member is a credential of 4,096 characters. */
const bodyBytesMax = 16_384

/** Creates a server with safe limits and without operations. Fastify's defaults assume a proxy in front. */
export function newServer(settings: ServerSettings, records: Records, methodsAt: MethodsAt): FastifyInstance {
  const { trustedProxies, connectionLimit, tracing } = settings
  const connections = createConnections(records, settings.isDraining)
  const app = fastify({
    // `requireHostHeader: false`, because Node would not answer with a problem. The head check rejects the request instead.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // More than `headBytesMax`, so that the head check rejects headers that are a little too large.
      maxHeaderSize: headBytesMax * 4,
      requireHostHeader: false,
    },
    requestTimeout: 15_000,
    bodyLimit: bodyBytesMax,
    keepAliveTimeout: 72_000, // longer than the idle timeout of common load balancers
    // `createConnections` counts requests instead: Node would answer requests that follow the last one of a connection.
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // the service sends a problem instead
    trustProxy: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: {
      caseSensitive: true,
      ignoreDuplicateSlashes: false,
      ignoreTrailingSlash: false,
      querystringParser: parseQuery,
      maxParamLength: headBytesMax * 4, // no limit here, because the router would not send a problem; schemas have limits
    },
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
    genReqId: () => randomUUID(),
    clientErrorHandler: connections.rejectUnparsed,
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.server.maxHeadersCount = 0 // Node would silently drop headers; the head check counts them instead
  app.decorateRequest('client')
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isRefused', false)
  app.decorateRequest('isLast', false)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusedAccount', undefined)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendProblem) // one shape for every error
  connections.listenTo(app)
  limitConnections(app, connectionLimit, proxyTest(trustedProxies))
  if (tracing) traceRequests(app, tracing, trustedProxies)
  beginRequests(app, settings, connections)
  checkHeads(app, createHeadCheck(settings.hostNames, methodsAt))
  recordRequests(app, records)
  return app
}

/** Finds out who is connected, sets the headers of every response, and receives the body from its first byte. */
function beginRequests(
  app: FastifyInstance,
  { trustedProxies, untrustedProxies }: ServerSettings,
  { accept }: ReturnType<typeof createConnections>,
): void {
  const readClient = clientAddressReader(trustedProxies)
  const receive = readBodies(app, cutOff)
  app.addHook('onRequest', (request, reply, done) => {
    request.client = readClient(request.raw)
    if (request.client.isShared) untrustedProxies.forwarded(request.client.address)
    reply.headers(defaultHeaders).header('x-request-id', request.id)
    if (!accept(request, reply)) return void reply.hijack()
    if (hasBody(request.raw)) receive(request, reply)
    done()
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** After all `onRequest` hooks and before the gate. */
function checkHeads(app: FastifyInstance, check: (request: FastifyRequest) => void): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    check(request)
    done()
  })
}

/** Requests per connection. Closing it lets the load balancer choose another node. */
const requestsMax = 10_000

/** How long a raw response waits for the client to close its side (RFC 9112 §9.6). */
const lingerMs = 2_000

interface Connection {
  requests: number
  /** True once the last request that will be answered has arrived. */
  isEnding: boolean
  last?: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  isRefused: boolean
}

/**
 * Handles requests that Node would answer itself without any hook. Sends a problem instead, in the order of the requests, with the default
 * headers and a log line.
 */
function createConnections(records: Records, isDraining: () => boolean) {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection = { requests: 0, isEnding: false, isRefused: false }
    connections.set(socket, connection)
    return connection
  }

  return {
    /** Returns false if the request must be ignored, because it follows the last one of its connection (RFC 9112 §9.6). */
    accept(request: FastifyRequest, reply: FastifyReply): boolean {
      const connection = connectionOf(request.raw.socket)
      if (connection.isEnding) return false
      connection.requests += 1
      connection.last = { request, reply }
      connection.isEnding = connection.requests === requestsMax || offersUpgrade(request) || isDraining()
      request.isLast = connection.isEnding
      if (connection.isEnding) reply.header('connection', 'close')
      return true
    },

    /** Handles `clientError`: parser errors, requests that time out, and broken connections. */
    rejectUnparsed(error: Error, socket: Socket): void {
      const fault = errorCode(error) ?? ''
      // Data after a request with `Connection: close` is ignored. The response closes the connection.
      if (fault === 'HPE_CLOSED_CONNECTION') return
      const isReadable = socket.writable && (fault.startsWith('HPE_') || fault in parserProblems)
      if (!isReadable) return void socket.destroy()
      const connection = connectionOf(socket)
      // The parser reports the error again for all data that still arrives.
      if (connection.isRefused) return
      connection.isRefused = true
      const problem = new Problem(parserProblems[fault] ?? 'request_malformed', { cause: error })
      const { last } = connection
      if (last && !last.request.raw.complete) rejectIncomplete(last, socket, problem)
      else afterResponse(last, () => recordRawResponse(records, { ...sendRaw(socket, problem), socket, fault }))
    },

    /** Handles `CONNECT`, and routes requests with an unknown `Expect`, which the head check rejects. */
    listenTo(app: FastifyInstance): void {
      app.server.on('connect', (request, socket: Socket) => {
        socket.on('error', () => socket.destroy())
        const reject = () =>
          recordRawResponse(records, { ...sendRaw(socket, new Problem('method_unknown')), socket, request })
        afterResponse(connectionOf(socket).last, reject)
      })
      app.server.on('checkExpectation', (request, response) => app.routing(request, response))
    },
  }
}

/** Closes the connection right after the response, for a body that is too expensive even to discard. */
function cutOff(request: FastifyRequest, reply: FastifyReply): void {
  const close = () => request.raw.socket.destroy()
  if (reply.raw.writableFinished) return void close()
  reply.raw.prependOnceListener('finish', close)
  const problem = new Problem('request_malformed', { detail: 'The body is sent in too many small pieces.' })
  if (!isAnswered(request, reply)) sendNow(request, reply, problem)
}

/**
 * Muster declines every upgrade and serves the request. Node drops data that followed in the same packet, so the connection must close:
 * this tells the client that further requests were not answered.
 */
function offersUpgrade({ raw }: FastifyRequest): boolean {
  return raw.headers.upgrade !== undefined
}

/** Calls `then` once the response to the last request is sent. */
function afterResponse(last: Connection['last'], then: () => void): void {
  if (last === undefined || last.reply.raw.writableFinished) then()
  else last.reply.raw.once('finish', then)
}

/** Rejects a request whose rest will never arrive, unless it is already answered. */
function rejectIncomplete({ request, reply }: NonNullable<Connection['last']>, socket: Socket, problem: Problem): void {
  if (!isAnswered(request, reply)) sendNow(request, reply, problem)
  else if (reply.raw.writableFinished) endSoon(socket)
  else reply.raw.once('finish', () => endSoon(socket))
}

function isAnswered(request: FastifyRequest, reply: FastifyReply): boolean {
  return request.isRefused || reply.sent || reply.raw.headersSent
}

/** Bypasses Fastify, which may still be waiting for the gate and would send its own response later. */
function sendNow(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  const { status, headers, body } = problemAnswer(problem, request.id)
  const length = { 'content-length': Buffer.byteLength(body) }
  const all = { ...reply.getHeaders(), ...headers, ...length, connection: 'close' }
  reply.hijack()
  reply.raw.statusCode = status
  for (const [name, value] of Object.entries(all)) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.end(body)
}

/** Writes the response directly to the socket, for a request without a reply object, and closes the connection. */
function sendRaw(socket: Socket, problem: Problem): { readonly requestId: string; readonly status: number } {
  const requestId = randomUUID()
  const { status, headers, body } = problemAnswer(problem, requestId)
  const lines = Object.entries({
    ...defaultHeaders,
    ...headers,
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  endSoon(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
  return { requestId, status }
}

/** Discards data that still arrives for `lingerMs`: a reset could lose the response. */
function endSoon(socket: Socket, text = ''): void {
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.end(text)
}

/** Error codes of Node's HTTP server and parser (`HPE_…`). Other parser errors are `request_malformed`. */
const parserProblems: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_INVALID_METHOD: 'method_unknown',
  HPE_INVALID_VERSION: 'version_unsupported',
  HPE_PAUSED_H2_UPGRADE: 'version_unsupported',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
