import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Records, requestLine } from './request-log.ts'
import { standingHeaders } from './standing-headers.ts'

/** An answer that needs no waiting: the same bytes and headers that the operation itself would give. */
export interface ReadyAnswer {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly bytes?: Buffer
}

export interface Shortcut {
  /** The id of the operation that it answers for. */
  readonly operation: string
  /** What can be answered at once, or nothing where the ordinary way must be gone: for every problem, among others. */
  find(request: IncomingMessage): ReadyAnswer | undefined
}

/**
 * Asks `shortcut` before the framework sees a request. Routing, hooks and the reply of Fastify cost more than finding a kept
 * answer does. Gate, limits, headers, log and counts are the same on both ways; whatever is not plain goes the ordinary one.
 */
export function takeShortcuts(
  app: FastifyInstance,
  shortcut: Shortcut,
  { log, countRequest }: Records,
  addressOf: (request: IncomingMessage) => string,
): void {
  const [ordinary] = app.server.listeners('request')
  if (!ordinary) throw new Error('The server has no listener for requests.')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const startedAtMs = performance.now()
    const answer = isPlain(request) ? shortcut.find(request) : undefined
    if (!answer) return void Reflect.apply(ordinary, app.server, [request, response])
    const requestId = randomUUID()
    send(response, answer, requestId)
    response.once('finish', () => {
      const ms = performance.now() - startedAtMs
      countRequest(shortcut.operation, answer.status, ms / 1_000)
      log.info(requestLine({ requestId, request, address: addressOf(request), status: answer.status, ms }), 'request')
    })
  })
}

/** Without a body and with few headers, from one host. */
function isPlain({ headers, rawHeaders }: IncomingMessage): boolean {
  return (
    rawHeaders.length <= 100 &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  )
}

function send(response: ServerResponse, { status, headers, bytes }: ReadyAnswer, requestId: string): void {
  response.writeHead(status, {
    ...standingHeaders,
    ...headers,
    'x-request-id': requestId,
    ...(bytes && { 'content-length': bytes.length }),
  })
  response.end(bytes)
}
