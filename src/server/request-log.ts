import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** One line for each request. Query strings are left out: a caller may have put anything into them. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = { ...lineOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 }
    if (request.failure === undefined) log.info(line, 'request')
    else log.error({ ...line, err: request.failure }, 'request failed')
  })
  app.addHook('onRequestAbort', async (request) => {
    log.info({ ...lineOf(request), aborted: true }, 'request aborted by the caller')
  })
}

function lineOf(request: FastifyRequest) {
  return {
    requestId: request.id,
    method: request.method,
    path: (request.raw.url ?? '').split('?', 1)[0]?.slice(0, 200),
    address: request.ip,
  }
}
