import { randomUUID } from 'node:crypto'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { refuse } from '../problems.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { isDecodable } from './answer-problems.ts'
import type { Caller } from './caller.ts'
import {
  type ClientAddress,
  clientAddressReader,
  proxyTest,
  reportUntrustedProxies,
  type UntrustedProxies,
} from './client-address.ts'
import { type ConnectionLimit, limitConnections } from './connection-limit.ts'
import { createConnections } from './connections.ts'
import { defaultHeaders } from './default-headers.ts'
import { createHostCheck, originForm } from './host.ts'
import { compileValidator, parseQuery } from './input.ts'
import { readBodies } from './read-body.ts'
import { type Records, recordRequests } from './request-log.ts'
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
    readonly client: ClientAddress
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
const urlLengthMax = 8_192
const headerLinesMax = 200
/** Total size of all header names and values. */
const headBytesMax = 16_384

/** Creates a server with safe limits and without operations. Fastify's defaults assume a proxy in front. */
export function newServer(
  { trustedProxies, untrustedProxies, hostNames, connectionLimit, isDraining, tracing }: ServerSettings,
  records: Records,
): FastifyInstance {
  const connections = createConnections(records, isDraining)
  const app = fastify({
    // `requireHostHeader: false`, because Node would not answer with a problem. `checkHead` rejects the request instead.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // More than `headBytesMax`, so that `checkHead` rejects headers that are a little too large.
      maxHeaderSize: headBytesMax * 4,
      requireHostHeader: false,
    },
    requestTimeout: 15_000,
    bodyLimit: bodyBytesMax,
    keepAliveTimeout: 72_000, // longer than the idle timeout of common load balancers
    // connections.ts counts requests instead: Node would answer requests that follow the last one of a connection.
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
    rewriteUrl: ({ url = '/' }) => {
      // Truncates a URL that is too long. `checkHead` rejects it by its original length.
      const target = originForm(url).slice(0, urlLengthMax)
      return isDecodable(target) ? target : target.replaceAll('%', '%25')
    },
    genReqId: () => randomUUID(),
    clientErrorHandler: connections.rejectUnparsed,
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.server.maxHeadersCount = 0 // Node would silently drop headers; `checkHead` counts them instead
  decorateClient(app, trustedProxies)
  app.decorateRequest('failure', undefined)
  app.decorateRequest('isRefused', false)
  app.decorateRequest('isLast', false)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusedAccount', undefined)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(() => JSON.stringify)
  connections.listenTo(app)
  limitConnections(app, connectionLimit, proxyTest(trustedProxies))
  reportUntrustedProxies(app, untrustedProxies)
  if (tracing) traceRequests(app, tracing, trustedProxies)
  setHeaders(app, connections)
  readBodies(app)
  checkHead(app, hostNames && new Set(hostNames))
  recordRequests(app, records)
  return app
}

function decorateClient(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const read = clientAddressReader(trustedProxies)
  app.decorateRequest('client', {
    getter() {
      return read(this.raw)
    },
  })
}

/** Headers of every response. */
function setHeaders(app: FastifyInstance, { accept }: ReturnType<typeof createConnections>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(defaultHeaders).header('x-request-id', request.id)
    if (accept(request, reply)) done()
    else reply.hijack()
  })
}

/** Rejects requests with an invalid request line or headers, after all `onRequest` hooks and before the gate. */
function checkHead(app: FastifyInstance, hostNames: ReadonlySet<string> | undefined): void {
  const checkHost = createHostCheck(hostNames)
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { httpVersion, headers, rawHeaders } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') refuse('version_unsupported')
    checkHost(request.raw, request.originalUrl, request.routeOptions.config.anyHost === true)
    // RFC 9112 §6.1: the length of a body with another transfer coding is unknown.
    const coding = headers['transfer-encoding']
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') refuse('request_malformed')
    if (request.originalUrl.length > urlLengthMax) refuse('uri_too_long')
    if (isTooLarge(rawHeaders)) refuse('headers_too_large')
    if (httpVersion === '1.1' && headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
      refuse('expectation_failed')
    done()
  })
}

function isTooLarge(rawHeaders: readonly string[]): boolean {
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length > headBytesMax || rawHeaders.length > headerLinesMax * 2
}
