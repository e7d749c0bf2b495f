import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { originForm } from './host.ts'
import { problemAnswer, problemFrom } from './problem-answer.ts'

/** One shape for every failure: thrown by an operation, or found by the framework. */
export function answerProblems(app: FastifyInstance, methodsAt: (path: string) => readonly string[]): void {
  app.setErrorHandler((error, request, reply) => answer(problemFrom(error), request, reply))

  // Before the body of a request that no operation takes is looked at.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    // CORS mounts a route for every OPTIONS, and has answered the preflight requests before.
    if (request.is404 || request.method === 'OPTIONS') done(problemOfUnknown(request.originalUrl, methodsAt))
    else done()
  })
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

function problemOfUnknown(target: string, methodsAt: (path: string) => readonly string[]): Problem {
  if (!isDecodable(target)) return new Problem('request_malformed')
  const methods = methodsAt(originForm(target).split('?', 1)[0] ?? '')
  if (methods.length === 0) return new Problem('route_unknown')
  return new Problem('method_not_allowed', {
    headers: { allow: methods.join(', ') },
    detail: `Use ${methods.join(' or ')}.`,
  })
}

function answer(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Whatever fails after the caller has left is no failure of ours, nor is a version of HTTP.
  if (problem.status >= 500 && problem.code !== 'version_unsupported' && !reply.raw.destroyed) request.failure = problem
  request.isRefused = true
  request.refusedAccount = problem.more.accountId
  dropRest(request, reply)
  const { status, headers, body } = problemAnswer(problem, request.id)
  return reply.code(status).headers(headers).send(body)
}

/**
 * Fastify closes the connection if a body is refused, and a client that still sends would get a reset instead of the answer. The rest is
 * read and dropped, for as long as a request may take, and the connection stays open.
 */
function dropRest(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.isLast) reply.removeHeader('connection')
  if (request.incoming) request.incoming.drop()
  else if (!request.raw.complete) request.raw.resume()
}
