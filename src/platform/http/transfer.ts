import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './accept.ts'

/**
 * A long answer, sent as fast as its reader takes it and no faster; compressed where the reader asked for that.
 * A failure on the way breaks the transfer off before its end, so that a part never looks like the whole, and a reader who takes
 * nothing for `stallMs` while there is something to take is cut.
 */
export function sendPieces(
  pieces: AsyncIterable<string>,
  { request, reply, stallMs }: { request: FastifyRequest; reply: FastifyReply; stallMs: number },
): Readable {
  cutStalled(request.raw.socket, reply, stallMs)
  const source = Readable.from(pieces)
  if (!takesGzip(request.headers['accept-encoding'])) return source
  reply.header('content-encoding', 'gzip')
  // Fast rather than small: the list is made as quickly as the database gives it. Each piece is flushed, because a reader of NDJSON acts
  // on each line. Errors of either end destroy the other.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  return pipeline(source, gzip, () => undefined)
}

/** Looks once in `stallMs` whether anything moved, so a reader is cut after one to two of them. */
function cutStalled(socket: Socket, reply: FastifyReply, stallMs: number): void {
  let before = ''
  const look = setInterval(() => {
    const now = `${socket.bytesWritten} ${socket.writableLength}`
    if (socket.writableLength > 0 && now === before) socket.destroy()
    before = now
  }, stallMs)
  look.unref()
  reply.raw.once('close', () => clearInterval(look))
}
