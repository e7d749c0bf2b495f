import type { FastifyReply } from 'fastify'

/** Names headers of the request that the answer depends on, beside those that were named before (RFC 9110 §12.5.5). */
export function addVary(reply: FastifyReply, names: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? names : `${before}, ${names}`)
}
