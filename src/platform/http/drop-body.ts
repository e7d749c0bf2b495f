import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutOff } from './connections.ts'

/** Rejects a body with more pieces than this and fewer bytes per piece than this: each piece costs 450 bytes and a microsecond. */
const piecesMax = 2_000
const pieceBytesMin = 16

/** Bytes to discard before the next body gets its turn. Enough to detect tiny pieces, which a paused stream would buffer. */
const turnBytes = 32_768
const waitingMax = 100

/** Rejects a body that arrives in thousands of tiny pieces and closes its connection. */
export function cutOffTinyPieces(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  let pieces = 0
  let received = 0
  const count = (piece: Buffer) => {
    pieces += 1
    received += piece.length
    if (pieces <= piecesMax || received >= pieces * pieceBytesMin) return
    // Discard further data until the connection closes. Without a listener, the stream would buffer it.
    raw.removeAllListeners('data').on('data', () => undefined)
    cutOff(request, reply)
  }
  raw.on('data', count)
}

/**
 * Reads and discards the rest of a rejected or unneeded body, so that a client that is still sending gets the response (RFC 9112 §9.6).
 * Resumes one body per event loop iteration, so that other requests are answered in between.
 */
export type DropBody = (request: FastifyRequest, reply: FastifyReply) => void

export function createDropBody(): DropBody {
  const waiting: IncomingMessage[] = []

  function resumeNext(): void {
    let body = waiting.shift()
    while (body?.destroyed) body = waiting.shift() // the client has disconnected
    body?.resume()
    if (waiting.length > 0) setImmediate(resumeNext)
  }

  function waitForTurn(body: IncomingMessage): void {
    body.pause()
    if (waiting.push(body) === 1) setImmediate(resumeNext)
  }

  return (request, reply) => {
    const { raw } = request
    let dropped = 0
    raw.on('data', (piece: Buffer) => {
      dropped += piece.length
      if (dropped < turnBytes) return
      dropped = 0
      if (waiting.length < waitingMax) waitForTurn(raw)
      else cutOff(request, reply)
    })
    raw.resume()
  }
}
