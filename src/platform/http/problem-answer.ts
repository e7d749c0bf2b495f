import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode, problems } from '../problems.ts'

/** A problem as an HTTP response. */
interface ProblemAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Relative to this service, which serves the page. RFC 9457 §3.1.1 allows a full path. */
const documentationPath = '/docs/problems.md'

/** Creates the response for a problem (RFC 9457). */
export function problemAnswer(problem: Problem, requestId: string): ProblemAnswer {
  const { title, status } = problems[problem.code]
  const { detail, errors, missing, scope, ways, needs, keep, retryAfterSeconds, headers } = problem.more
  const body = JSON.stringify({
    type: `${documentationPath}#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail,
    instance: `urn:uuid:${requestId}`,
    errors,
    missing,
    scope,
    ways,
    needs,
    ...keep,
  })
  return {
    status,
    body,
    headers: {
      'content-type': 'application/problem+json; charset=utf-8',
      ...(status === 401 && { 'www-authenticate': challenge(problem) }),
      ...(insufficientScope.has(problem.code) && {
        'www-authenticate': 'Bearer realm="muster", error="insufficient_scope"',
      }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
      ...headers,
    },
  }
}

/** Converts a thrown value to a problem. Unknown errors become `internal_error`. */
export function problemFrom(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
  const known = frameworkProblems[code]
  return new Problem(known ?? 'internal_error', { cause: thrown })
}

/** RFC 6750 §3.1: the challenge has no error if no token was sent. RFC 9470 §3: required authentication for step-up. */
function challenge({ code, more: { needs = {} } }: Problem): string {
  if (withoutToken.has(code)) return 'Bearer realm="muster"'
  const error = code === 'step_up_required' ? 'insufficient_user_authentication' : 'invalid_token'
  return [
    `Bearer realm="muster", error="${error}", error_description="${problems[code].title.replaceAll('’', "'")}"`,
    ...(needs.acrValues === undefined ? [] : [`acr_values="${needs.acrValues}"`]),
    ...(needs.maxAgeSeconds === undefined ? [] : [`max_age="${needs.maxAgeSeconds}"`]),
  ].join(', ')
}

/** RFC 6750 §3.1: the token is valid, but the caller lacks a permission. */
const insufficientScope: ReadonlySet<ProblemCode> = new Set(['permission_missing', 'permission_exceeds'])

const withoutToken: ReadonlySet<ProblemCode> = new Set([
  'token_missing',
  'sign_in_refused',
  'challenge_invalid',
  'refresh_refused',
])

/** Error codes of Fastify. */
const frameworkProblems: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'content_type_unsupported',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body_malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body_malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request_malformed',
  FST_ERR_BAD_URL: 'request_malformed',
}

/** Sends a thrown error of an operation, of Fastify or of a hook as a problem. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemFrom(error)
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
