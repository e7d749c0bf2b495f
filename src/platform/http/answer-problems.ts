import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { problemAnswer, problemFrom } from './problem-answer.ts'

/** One shape for every failure: thrown by an operation, found by the framework, or found by the HTTP parser. */
export function answerProblems(app: FastifyInstance, methodsAt: (path: string) => readonly string[]): void {
  app.setErrorHandler((error, request, reply) => answer(problemFrom(error), request, reply))

  app.setNotFoundHandler((request, reply) => {
    if (!isDecodable(request.originalUrl)) return answer(new Problem('request_malformed'), request, reply)
    const methods = methodsAt(request.originalUrl.split('?', 1)[0] ?? '')
    const problem =
      methods.length === 0
        ? new Problem('route_unknown')
        : new Problem('method_not_allowed', {
            headers: { allow: methods.join(', ') },
            detail: `Use ${methods.join(' or ')}.`,
          })
    return answer(problem, request, reply)
  })

  app.server.on('connect', (_request, socket: Socket) => answerRaw(socket, new Problem('method_unknown')))
}

/** Whether the router can decode the escapes of a path; otherwise it would answer by itself, past every hook. */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

function answer(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Whatever fails after the caller has left is no failure of ours.
  if (problem.status >= 500 && !reply.raw.destroyed) request.failure = problem
  const { status, headers, body } = problemAnswer(problem, request.id)
  return reply.code(status).headers(headers).send(body)
}

/** For what Node's HTTP parser refuses before there is a request. */
export function answerParserError(error: Error, socket: Socket): void {
  answerRaw(socket, problemOfParser(error))
}

/** Without a reply object the answer is written by hand, and the connection closed. */
function answerRaw(socket: Socket, problem: Problem): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, body } = problemAnswer(problem, randomUUID())
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) })
  // Data that is still arriving is read and dropped for a moment: a reset would take the answer away from the client that is sending.
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** How long a connection that was answered by hand may stay half open (RFC 9112 §9.6): a client that never closes its side is cut. */
const lingerMs = 2_000

/** RFC 9112 §4: clients ignore the reason phrase. */
const reason = 'Refused'

function problemOfParser(error: Error): Problem {
  const problem = problemFrom(error)
  return problem.code === 'internal_error' ? new Problem('request_malformed', { cause: error }) : problem
}
