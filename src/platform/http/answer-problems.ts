import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { originForm } from './host.ts'
import { problemAnswer, problemFrom } from './problem-answer.ts'

/** Sends every error of operations and Fastify as a problem, including unknown paths and methods. */
export function answerProblems(app: FastifyInstance, methodsAt: (path: string) => readonly string[]): void {
  app.setErrorHandler((error, request, reply) => sendProblem(problemFrom(error), request, reply))

  // Rejects unknown paths and methods before their body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // The CORS plugin mounts a route for OPTIONS, and has already answered preflight requests.
    if (request.is404 || request.method === 'OPTIONS') done(unroutedProblem(request.originalUrl, methodsAt))
    else done()
  })
}

/** Whether the router can decode the escapes of a path. Otherwise the router would answer without any hook. */
export function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

function unroutedProblem(target: string, methodsAt: (path: string) => readonly string[]): Problem {
  if (!isDecodable(target)) return new Problem('request_malformed')
  const methods = methodsAt(originForm(target).split('?', 1)[0] ?? '')
  if (methods.length === 0) return new Problem('route_unknown')
  return new Problem('method_not_allowed', {
    headers: { allow: methods.join(', ') },
    detail: `Use ${methods.join(' or ')}.`,
  })
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A failure after the caller has disconnected is not ours, and neither is an unsupported HTTP version.
  if (problem.status >= 500 && problem.code !== 'version_unsupported' && !reply.raw.destroyed) request.failure = problem
  request.isRefused = true
  request.refusedAccount = problem.more.accountId
  discardBody(request, reply)
  // The handler may have set it before it failed, and a browser would save the problem as the file.
  reply.removeHeader('content-disposition')
  const { status, headers, body } = problemAnswer(problem, request.id)
  return reply.code(status).headers(headers).send(body)
}

/**
 * Fastify closes the connection if it rejects a body, so a client that is still sending would get a reset instead of the response. Keeps
 * the connection open, and reads and discards the rest of the body.
 */
function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.isLast) reply.removeHeader('connection')
  if (request.incoming) request.incoming.drop()
  else if (!request.raw.complete) request.raw.resume()
}
