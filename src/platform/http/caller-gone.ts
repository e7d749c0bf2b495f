import type { FastifyReply } from 'fastify'

/**
 * Aborts when the connection closes before the answer is whole. Fastify's own `request.signal` follows the request's stream,
 * which also closes when its body has been read.
 */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
