import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createReadySender, type ReadyBody } from './ready-answer.ts'
import type { Records } from './request-log.ts'
import { standingHeaders } from './standing-headers.ts'

/** An answer that needs no waiting: the same bytes and headers that the operation itself would give. */
export type ReadyAnswer = ReadyBody & {
  /** Headers of this answer alone: name, value, name … */
  readonly own: readonly string[]
}

export interface Shortcut {
  /** The id of the operation that it answers for. */
  readonly operation: string
  /** The headers that all of its answers have, beside the standing ones. */
  readonly headers: Readonly<Record<string, string>>
  /** What can be answered at once, or nothing where the ordinary way must be gone: for every problem, among others. */
  find(request: IncomingMessage, headers: PlainHeaders): ReadyAnswer | undefined
}

/** What such an answer depends on. Each was sent once or not at all. */
export interface PlainHeaders {
  authorization: string | undefined
  ifNoneMatch: string | undefined
}

/**
 * Asks `shortcut` before the framework sees a request. Routing, hooks and the reply of Fastify cost more than finding a kept
 * answer does. Gate, limits, headers, log and counts are the same on both ways; whatever is not plain goes the ordinary one.
 */
export function takeShortcuts(
  app: FastifyInstance,
  shortcut: Shortcut,
  { writeLine, countRequest }: Records,
  addressOf: (request: IncomingMessage) => string,
): void {
  const [ordinary] = app.server.listeners('request')
  if (!ordinary) throw new Error('The server has no listener for requests.')
  const send = createReadySender(app.server, { ...standingHeaders, ...shortcut.headers })
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    const startedAtMs = performance.now()
    const headers = readPlainHeaders(request.rawHeaders)
    const answer = headers && shortcut.find(request, headers)
    if (!answer) return void Reflect.apply(ordinary, app.server, [request, response])
    const requestId = randomUUID()
    const { status, own } = answer
    send(response, answer, ['x-request-id', requestId, ...own])
    const ms = performance.now() - startedAtMs
    countRequest(shortcut.operation, status, ms / 1_000)
    const { method, url } = request
    writeLine({ requestId, method, url, address: addressOf(request), status, ms })
  })
}

/**
 * The headers of a request without a body, with few headers and for one host; nothing of any other. Read from the lines as they
 * came: the object that Node would make of them is not needed, and half of what is looked for here is that something is missing.
 */
function readPlainHeaders(lines: readonly string[]): PlainHeaders | undefined {
  if (lines.length > 100) return undefined
  const found: PlainHeaders = { authorization: undefined, ifNoneMatch: undefined }
  let hosts = 0
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] ?? ''
    if (!lengths.has(name.length)) continue
    const value = lines[index + 1] ?? ''
    switch (name.toLowerCase()) {
      case 'host':
        hosts += 1
        break
      case 'authorization':
        if (found.authorization !== undefined) return undefined
        found.authorization = value
        break
      case 'if-none-match':
        if (found.ifNoneMatch !== undefined) return undefined
        found.ifNoneMatch = value
        break
      case 'content-length':
      case 'transfer-encoding':
      case 'expect':
        return undefined
    }
  }
  return hosts === 1 ? found : undefined
}

/** Of the names that are looked for: most others are told apart by it. */
const lengths: ReadonlySet<number> = new Set(
  ['host', 'authorization', 'if-none-match', 'content-length', 'transfer-encoding', 'expect'].map(
    (name) => name.length,
  ),
)
