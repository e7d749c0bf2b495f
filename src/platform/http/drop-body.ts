import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutOff } from './connections.ts'

/** A body in more pieces than this, of fewer bytes than this on average, is cut off: each piece takes 450 bytes and a microsecond. */
const piecesMax = 2_000
const pieceBytesMin = 16

/** How much of a body is dropped before another one gets its turn: enough to see whether its pieces are tiny, because a paused stream keeps them. */
const turnBytes = 32_768
const waitingMax = 100

/** Cuts off a body that arrives in thousands of tiny pieces. */
export function cutOffTinyPieces(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  let pieces = 0
  let received = 0
  const count = (piece: Buffer) => {
    pieces += 1
    received += piece.length
    if (pieces <= piecesMax || received >= pieces * pieceBytesMin) return
    // Until the connection is closed, nothing may keep or pause what still comes. Without any listener the stream would keep it.
    raw.removeAllListeners('data').on('data', () => undefined)
    cutOff(request, reply)
  }
  raw.on('data', count)
}

/**
 * Reads and drops the rest of a body that is refused or not needed: a client that still sends would otherwise lose the answer
 * (RFC 9112 §9.6). One body is read on at each turn of the event loop, so that other requests are answered in between.
 */
export type DropBody = (request: FastifyRequest, reply: FastifyReply) => void

export function createDropBody(): DropBody {
  const waiting: IncomingMessage[] = []

  function next(): void {
    let body = waiting.shift()
    while (body?.destroyed) body = waiting.shift() // its client has left
    body?.resume()
    if (waiting.length > 0) setImmediate(next)
  }

  function waitForTurn(body: IncomingMessage): void {
    body.pause()
    if (waiting.push(body) === 1) setImmediate(next)
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
