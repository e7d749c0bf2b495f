import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { unredactedLog } from '../log.ts'
import { Problem } from '../problems.ts'
import { loggedCaller } from './caller.ts'

interface RequestFacts {
  readonly requestId: string
  readonly method: string | undefined
  readonly url: string | undefined
  /** Address of the client, according to trusted proxies. */
  readonly address: string
  readonly status?: number
  readonly ms?: number
  /** Set if the request is traced. */
  readonly traceId?: string | undefined
}

/** Members of a request's log line. Omits the query string, which may contain secrets. */
function requestLine({ requestId, traceId, method, url, address, status, ms }: RequestFacts) {
  const rounded = ms === undefined ? undefined : tenths(ms)
  return { requestId, traceId, method, path: pathOf(url), address, status, ms: rounded }
}

/** Logs a stack for unexpected errors only: during an outage every request fails for the same reason. */
function failureOf(failure: unknown): object {
  if (!(failure instanceof Problem) || failure.code === 'internal_error') return { err: failure }
  return { problem: failure.code, cause: causeOf(failure.more.cause) }
}

function causeOf(cause: unknown): object | undefined {
  if (!(cause instanceof Error)) return undefined
  if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0])
  return cause.cause instanceof Error
    ? causeOf(cause.cause)
    : { type: cause.name, code: errorCode(cause), message: cause.message }
}

function pathOf(url = ''): string {
  const end = url.indexOf('?')
  return (end === -1 ? url : url.slice(0, end)).slice(0, 200)
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Where requests are recorded: log and metrics. */
export interface Records {
  readonly log: Logger
  readonly countRequest: (request: {
    readonly operation: string
    readonly status: number
    readonly seconds: number
    readonly traceId?: string | undefined
  }) => void
}

/** Logs and counts each request. */
export function recordRequests(app: FastifyInstance, { log, countRequest }: Records): void {
  const requests = unredactedLog(log)
  app.addHook('onResponse', (request, reply, done) => {
    const { id, client, raw, failure, span } = request
    const { method, url } = raw
    countRequest({
      operation: request.routeOptions.config.operation ?? 'none',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      traceId: span?.isSampled ? span.traceId : undefined,
    })
    const facts = {
      requestId: id,
      traceId: span?.traceId,
      method,
      url,
      address: client.address,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    }
    const line = requestLine(facts)
    const isRefused = reply.statusCode >= 400
    if (failure === undefined)
      requests[levelOf(method, reply.statusCode)](isRefused ? { ...line, actor: actorOf(request) } : line, 'request')
    else log.error({ ...failureOf(failure), ...line }, 'request failed')
    done()
  })
  app.addHook('onRequestAbort', async ({ id, client, span, raw: { method, url } }) => {
    const line = requestLine({ requestId: id, traceId: span?.traceId, method, url, address: client.address })
    log.info({ aborted: true, ...line }, 'request aborted by the caller')
  })
}

function actorOf({ refusedAccount, caller }: FastifyRequest): object | undefined {
  if (refusedAccount !== undefined) return { account: refusedAccount }
  return caller && loggedCaller(caller)
}

/** Preflight requests only double the page's requests, so they are logged at debug level. */
function levelOf(method: string | undefined, status: number): 'debug' | 'info' {
  return method === 'OPTIONS' && status === 204 ? 'debug' : 'info'
}

/** Logs and counts a response that was written without the server's hooks. `fault`: error code of the parser. */
export function recordRawResponse(
  { log, countRequest }: Records,
  {
    requestId,
    status,
    socket,
    request,
    fault,
  }: {
    readonly requestId: string
    readonly status: number
    readonly socket: Socket
    readonly request?: IncomingMessage | undefined
    readonly fault?: string | undefined
  },
): void {
  const { method, url } = request ?? {}
  const line = requestLine({ requestId, method, url, address: socket.remoteAddress ?? '', status })
  countRequest({ operation: 'none', status, seconds: 0 })
  unredactedLog(log).info({ ...line, fault }, 'request')
}
