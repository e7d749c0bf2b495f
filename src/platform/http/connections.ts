import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCode } from '../error-code.ts'
import { Problem, type ProblemCode } from '../problems.ts'
import { defaultHeaders } from './default-headers.ts'
import { problemAnswer } from './problem-answer.ts'
import { type Records, recordRefusal } from './request-log.ts'

/** Requests of one connection, after which it is closed: a connection that never ends would stay on one node for ever. */
const requestsMax = 10_000

/** How long a connection that was answered by hand may stay half open (RFC 9112 §9.6): a client that never closes its side is cut. */
const lingerMs = 2_000

/** What has happened on one connection. */
interface Connection {
  requests: number
  /** Its last request has come. */
  isEnding: boolean
  last?: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  isRefused: boolean
}

/**
 * What Node would answer by itself, in a shape of its own, past every hook: here it becomes a problem, in the order of the requests,
 * with the headers of every response and a line in the log.
 */
export function createConnections(records: Records, isDraining: () => boolean) {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection = { requests: 0, isEnding: false, isRefused: false }
    connections.set(socket, connection)
    return connection
  }

  return {
    /** Whether a request is to be answered: after the last one of its connection none is (RFC 9112 §9.6). */
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

    /** For the event `clientError`: what the parser refuses, requests that do not arrive in time, and connections that break. */
    refuseUnparsed(error: Error, socket: Socket): void {
      const fault = errorCode(error) ?? ''
      // What follows a request with `Connection: close` is not read; its response closes the connection.
      if (fault === 'HPE_CLOSED_CONNECTION') return
      const isReadable = socket.writable && (fault.startsWith('HPE_') || fault in parserProblems)
      if (!isReadable) return void socket.destroy()
      const connection = connectionOf(socket)
      // The parser says it again for all that still arrives.
      if (connection.isRefused) return
      connection.isRefused = true
      const problem = new Problem(parserProblems[fault] ?? 'request_malformed', { cause: error })
      const { last } = connection
      if (last && !last.request.raw.complete) refuseRest(last, socket, problem)
      else refuseNext(last, () => recordRefusal(records, { ...answerRaw(socket, problem), socket, fault }))
    },

    /** `CONNECT`, and an `Expect` that Node does not know: `checkEnvelopes` refuses it. */
    listenTo(app: FastifyInstance): void {
      app.server.on('connect', (request, socket: Socket) => {
        socket.on('error', () => socket.destroy())
        const refuse = () =>
          recordRefusal(records, { ...answerRaw(socket, new Problem('method_unknown')), socket, request })
        refuseNext(connectionOf(socket).last, refuse)
      })
      app.server.on('checkExpectation', (request, response) => app.routing(request, response))
    },
  }
}

/** For a body that costs too much to read on, even to drop it: its connection is closed right behind the answer. */
export function cutOff(request: FastifyRequest, reply: FastifyReply): void {
  const close = () => request.raw.socket.destroy()
  if (reply.raw.writableFinished) return void close()
  reply.raw.prependOnceListener('finish', close)
  const problem = new Problem('request_malformed', { detail: 'The body is sent in too many small pieces.' })
  if (!isAnswered(request, reply)) answerNow(request, reply, problem)
}

/**
 * Every offer is declined by serving the request. Node then drops what came in the same packet behind it: a client that sent further
 * requests learns by the close that they were not answered.
 */
function offersUpgrade({ raw }: FastifyRequest): boolean {
  return raw.headers.upgrade !== undefined
}

/** Once the requests before it are answered. */
function refuseNext(last: Connection['last'], refuse: () => void): void {
  if (last === undefined || last.reply.raw.writableFinished) refuse()
  else last.reply.raw.once('finish', refuse)
}

/** The request of which the rest will never come. Where it is answered already, there is nothing to say. */
function refuseRest({ request, reply }: NonNullable<Connection['last']>, socket: Socket, problem: Problem): void {
  if (!isAnswered(request, reply)) answerNow(request, reply, problem)
  else if (reply.raw.writableFinished) endSoon(socket)
  else reply.raw.once('finish', () => endSoon(socket))
}

function isAnswered(request: FastifyRequest, reply: FastifyReply): boolean {
  return request.isRefused || reply.sent || reply.raw.headersSent
}

/** Past the framework, which may still wait for the gate, and would send its own answer after this one. */
function answerNow(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
  const { status, headers, body } = problemAnswer(problem, request.id)
  const length = { 'content-length': Buffer.byteLength(body) }
  const all = { ...reply.getHeaders(), ...headers, ...length, connection: 'close' }
  reply.hijack()
  reply.raw.statusCode = status
  for (const [name, value] of Object.entries(all)) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.end(body)
}

/** Without a reply object the answer is written by hand, and the connection closed. */
function answerRaw(socket: Socket, problem: Problem): { readonly requestId: string; readonly status: number } {
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

/** Data that is still arriving is read and dropped for a moment: a reset would take the answer away from the client that is sending. */
function endSoon(socket: Socket, text = ''): void {
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.end(text)
}

/** Codes of Node's HTTP server and of its parser (`HPE_…`). Every other code of the parser is a `request_malformed`. */
const parserProblems: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_INVALID_METHOD: 'method_unknown',
  HPE_INVALID_VERSION: 'version_unsupported',
  HPE_PAUSED_H2_UPGRADE: 'version_unsupported',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
