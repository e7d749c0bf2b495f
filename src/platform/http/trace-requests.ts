import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import type { OpenSpan, Tracing } from '../tracing/tracing.ts'
import { networkTest } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if this request is traced. */
    span: OpenSpan | undefined
  }
}

/**
 * Creates a span for each traced request. Continues the trace of a `traceparent` from a trusted proxy. Ignores the header from other
 * clients, so that they can neither choose which requests are traced nor join a trace.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, trustedProxies: readonly string[]): void {
  const isTrusted = networkTest(trustedProxies)
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, socket } = request.raw
    const { traceparent } = headers
    const parent = typeof traceparent === 'string' && isTrusted(socket.remoteAddress ?? '') ? traceparent : undefined
    const describe = () => {
      const route = request.routeOptions.url
      return {
        name: route === undefined ? String(method) : `${method} ${route}`,
        attributes: {
          'http.request.method': method ?? '',
          ...(route !== undefined && { 'http.route': route }),
          'muster.operation': request.routeOptions.config.operation ?? 'none',
          'muster.request_id': request.id,
        },
      }
    }
    const span = tracing.startRequest(describe, parent)
    if (!span) return done()
    request.span = span
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) return span.end({}, 'aborted')
      const { statusCode } = reply
      const fault = statusCode >= 500 ? faultOf(request.failure, statusCode) : undefined
      span.end({ 'http.response.status_code': statusCode }, fault)
    })
    span.run(done)
    if (reply.sent) span.deactivate()
  })
}

function faultOf(failure: unknown, status: number): string {
  return failure instanceof Problem ? failure.code : String(status)
}
