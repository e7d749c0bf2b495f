import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

export interface RequestFacts {
  readonly requestId: string
  readonly method: string | undefined
  readonly url: string | undefined
  /** Of the caller, as far as trusted proxies tell. */
  readonly address: string
  readonly status?: number
  readonly ms?: number
}

/** What the log says of a request. Query strings are left out: a caller may have put anything into them. */
export function requestLine({ requestId, method, url, address, status, ms }: RequestFacts) {
  return { requestId, method, path: pathOf(url), address, status, ms: ms === undefined ? undefined : tenths(ms) }
}

/** The same as the text of the members of a JSON object, with the message. Method and id are of characters that JSON takes as they are. */
export function requestMembers({ requestId, method, url, address, status, ms }: Required<RequestFacts>): string {
  const text = `"requestId":"${requestId}","method":"${method}","path":${quotedPath(pathOf(url))}`
  return `${text},"address":${quotedAddress(address)},"status":${status},"ms":${tenths(ms)},"msg":"request"`
}

function pathOf(url = ''): string {
  const end = url.indexOf('?')
  return (end === -1 ? url : url.slice(0, end)).slice(0, 200)
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

const quotedPath = quoter()
const quotedAddress = quoter()

/** A text as JSON. The last one is remembered: most lines say the same as the line before. */
function quoter(): (text: string) => string {
  let last = ''
  let quoted = '""'
  return (text) => {
    if (text !== last) quoted = JSON.stringify(text)
    last = text
    return quoted
  }
}

/** Where requests are noted: a line in the log, and a count in the metrics. */
export interface Records {
  readonly log: Logger
  readonly writeLine: (facts: Required<RequestFacts>) => void
  readonly countRequest: (operation: string, status: number, seconds: number) => void
}

/** One line and one count for each request. */
export function recordRequests(app: FastifyInstance, { log, writeLine, countRequest }: Records): void {
  app.addHook('onResponse', async (request, reply) => {
    const { id, ip, raw, failure } = request
    const { method, url } = raw
    countRequest(request.routeOptions.config.operation ?? 'none', reply.statusCode, reply.elapsedTime / 1_000)
    const facts = { requestId: id, method, url, address: ip, status: reply.statusCode, ms: reply.elapsedTime }
    if (failure === undefined) writeLine(facts)
    else log.error({ err: failure, ...requestLine(facts) }, 'request failed')
  })
  app.addHook('onRequestAbort', async ({ id, ip, raw: { method, url } }) => {
    const line = requestLine({ requestId: id, method, url, address: ip })
    log.info({ aborted: true, ...line }, 'request aborted by the caller')
  })
}
