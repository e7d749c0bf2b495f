import type { FastifyRequest } from 'fastify'
import { type Client, describeClient } from '../sessions/client.ts'

/** Whoever sent this request, for the built-in issuer. */
export function clientOf({ ip, headers, id }: FastifyRequest): Client {
  return describeClient({ address: ip, userAgent: headers['user-agent'], requestId: id })
}
