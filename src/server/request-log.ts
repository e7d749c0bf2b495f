import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

export interface RequestFacts {
  readonly requestId: string
  readonly request: IncomingMessage
  /** Of the caller, as far as trusted proxies tell. */
  readonly address: string
  readonly status?: number
  readonly ms?: number
}

/** What the log says of a request. Query strings are left out: a caller may have put anything into them. */
export function requestLine({ requestId, request, address, status, ms }: RequestFacts) {
  const { method, url = '' } = request
  const end = url.indexOf('?')
  const path = (end === -1 ? url : url.slice(0, end)).slice(0, 200)
  return { requestId, method, path, address, status, ms: ms === undefined ? undefined : Math.round(ms * 10) / 10 }
}

/** The same as the text of the members of a JSON object, with the message. Method and id are of characters that JSON takes as they are. */
export function requestMembers(facts: Required<RequestFacts>): string {
  const { requestId, method, path, address, status, ms } = requestLine(facts)
  const text = `"requestId":"${requestId}","method":"${method}","path":${JSON.stringify(path)}`
  return `${text},"address":${JSON.stringify(address)},"status":${status},"ms":${ms},"msg":"request"`
}

/** Where requests are noted: a line in the log, and a count in the metrics. */
export interface Records {
  readonly log: Logger
  /** Takes `requestMembers`. */
  readonly writeLine: (members: string) => void
  readonly countRequest: (operation: string, status: number, seconds: number) => void
}

/** One line and one count for each request. */
export function recordRequests(app: FastifyInstance, { log, writeLine, countRequest }: Records): void {
  app.addHook('onResponse', async (request, reply) => {
    const { id, ip, raw, failure } = request
    countRequest(request.routeOptions.config.operation ?? 'none', reply.statusCode, reply.elapsedTime / 1_000)
    const facts = { requestId: id, request: raw, address: ip, status: reply.statusCode, ms: reply.elapsedTime }
    if (failure === undefined) writeLine(requestMembers(facts))
    else log.error({ ...requestLine(facts), err: failure }, 'request failed')
  })
  app.addHook('onRequestAbort', async ({ id, ip, raw }) => {
    log.info(
      { ...requestLine({ requestId: id, request: raw, address: ip }), aborted: true },
      'request aborted by the caller',
    )
  })
}
