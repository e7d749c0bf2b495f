import { randomUUID } from 'node:crypto'
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { refuse } from '../problems.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { isDecodable } from './answer-problems.ts'
import type { Caller } from './caller.ts'
import { type ClientAddress, clientAddressReader, proxyTest } from './client-address.ts'
import { type ConnectionLimit, limitConnections } from './connection-limit.ts'
import { createConnections } from './connections.ts'
import { defaultHeaders } from './default-headers.ts'
import { createHostCheck, originForm } from './host.ts'
import { compileValidator, parseQuery } from './input.ts'
import { readBodies } from './read-body.ts'
import { type Records, recordRequests } from './request-log.ts'
import { traceRequests } from './trace-requests.ts'
import { reportUntrustedProxies, type UntrustedProxies } from './untrusted-proxies.ts'

export interface ServerSettings {
  readonly trustedProxies: readonly string[]
  readonly untrustedProxies: UntrustedProxies
  /** While it is true, every response asks its client to open no further requests on the connection. */
  readonly isDraining: () => boolean
  readonly connectionLimit: ConnectionLimit
  /** The names by which clients may call; any where there are none. */
  readonly hostNames?: readonly string[] | undefined
  readonly tracing?: Tracing | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The client, as far as trusted proxies tell. In place of Fastify's `ip`, which takes any text for an address. */
    readonly client: ClientAddress
    /** What made this request fail with a 5xx, for its line in the log. */
    failure: unknown
    /** A problem is on its way to the caller; hooks may still hold it. */
    isRefused: boolean
    /** Its answer closes the connection. */
    isLast: boolean
    /** Who is calling; the gate sets it where the operation asks for a caller. */
    caller: Caller | undefined
    /** The account that a problem is about, for the log: an operation without a token may have found it. */
    refusedAccount: string | undefined
  }
  interface FastifyContextConfig {
    /** Its id in the contract. */
    operation?: string
    /** It answers under every name: probes call nodes by whatever address they know. */
    anyHost?: boolean
  }
}

/** Maximum size of a body, for most operations: the longest member is a credential of 4,096 characters. */
export const bodyBytesMax = 16_384
const urlLengthMax = 8_192
const headerLinesMax = 200
/** Of all header names and values. */
const headBytesMax = 16_384

/** A server with safe limits and none of our operations yet. Fastify's defaults are meant for a place behind a proxy. */
export function newServer(
  { trustedProxies, untrustedProxies, hostNames, connectionLimit, isDraining, tracing }: ServerSettings,
  records: Records,
): FastifyInstance {
  const connections = createConnections(records, isDraining)
  const app = fastify({
    // Without a Host header Node would answer by itself, in a shape of its own; checkEnvelopes refuses it instead.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // More than is accepted, so that what is a little too large gets the same answer as every other request.
      maxHeaderSize: headBytesMax * 4,
      requireHostHeader: false,
    },
    requestTimeout: 15_000,
    bodyLimit: bodyBytesMax,
    keepAliveTimeout: 72_000, // longer than the idle time of the usual load balancers
    // Node would answer what was sent after the last request of a connection; connections count for themselves.
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // answered as a problem instead
    trustProxy: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: {
      caseSensitive: true,
      ignoreDuplicateSlashes: false,
      ignoreTrailingSlash: false,
      querystringParser: parseQuery,
      maxParamLength: headBytesMax * 4, // the router would answer a longer one by itself; schemas have the limits
    },
    rewriteUrl: ({ url = '/' }) => {
      // The rest of a URL that is too long costs nothing: checkEnvelopes refuses it by its original length.
      const target = originForm(url).slice(0, urlLengthMax)
      return isDecodable(target) ? target : target.replaceAll('%', '%25')
    },
    genReqId: () => randomUUID(),
    clientErrorHandler: connections.refuseUnparsed,
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
  })
  app.server.maxHeadersCount = 0 // Node would drop what is over in silence; counted below instead
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
  checkEnvelopes(app, hostNames && new Set(hostNames))
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

/** What no operation takes, after all hooks of `onRequest` and before the gate. */
function checkEnvelopes(app: FastifyInstance, hostNames: ReadonlySet<string> | undefined): void {
  const checkHost = createHostCheck(hostNames)
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { httpVersion, headers, rawHeaders } = request.raw
    if (httpVersion !== '1.1' && httpVersion !== '1.0') refuse('version_unsupported')
    checkHost(request.raw, request.originalUrl, request.routeOptions.config.anyHost === true)
    // RFC 9112 §6.1: the end of a body in another transfer coding is not known.
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
