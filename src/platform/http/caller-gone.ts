import type { FastifyReply } from 'fastify'

/**
 * Aborts when the connection closes before the response is complete. Fastify's `request.signal` does not help: it also aborts when the
 * request body has been read.
 */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
