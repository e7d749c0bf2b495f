import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from './negotiation.ts'

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

/**
 * Streams a long response with backpressure, with gzip if the client accepts it. An error aborts the transfer, so that a partial response
 * never looks complete. Closes the connection if the client reads nothing for `stallMs` while data is waiting.
 */
export function streamResponse(
  chunks: AsyncIterable<string>,
  { request, reply, stallMs }: { request: FastifyRequest; reply: FastifyReply; stallMs: number },
): Readable {
  closeIfStalled(request.raw.socket, reply, stallMs)
  const source = Readable.from(chunks)
  if (!acceptsGzip(request.headers['accept-encoding'])) return source
  reply.header('content-encoding', 'gzip')
  // The fastest level, to keep up with the database. Flushes each chunk, because a client of NDJSON processes each line. An error of
  // either stream destroys the other.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  return pipeline(source, gzip, () => undefined)
}

/** Checks progress every `stallMs`, so the connection closes after one to two intervals. */
function closeIfStalled(socket: Socket, reply: FastifyReply, stallMs: number): void {
  let before = ''
  const check = setInterval(() => {
    const now = `${socket.bytesWritten} ${socket.writableLength}`
    if (socket.writableLength > 0 && now === before) socket.destroy()
    before = now
  }, stallMs)
  check.unref()
  reply.raw.once('close', () => clearInterval(check))
}
