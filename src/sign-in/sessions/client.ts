import type { FastifyRequest } from 'fastify'
import type { AuditOrigin } from '../../platform/audit/audit.ts'
import type { ClientAddress } from '../../platform/http/client-address.ts'
import { networksOf } from '../../platform/rate-limit/network.ts'

/** The client of a request, as stored in sessions, rate limits and the audit log. */
export interface Client extends AuditOrigin {
  readonly address: string
  /** From narrow to wide. Empty behind an untrusted proxy, where all clients share one address. */
  readonly networks: readonly string[]
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200

export function clientOf({ client, headers, id }: FastifyRequest): Client {
  return describeClient({ ...client, userAgent: headers['user-agent'], requestId: id })
}

/**
 * Shortens the user agent to 200 characters and replaces everything except printable ASCII, because it is displayed.
 */
export function describeClient({
  address,
  isShared = false,
  userAgent = '',
  requestId,
}: Pick<ClientAddress, 'address'> &
  Partial<ClientAddress> & { readonly userAgent?: string | undefined; readonly requestId: string }): Client {
  const name = userAgent
    .slice(0, userAgentLengthMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
  const networks = isShared ? [] : networksOf(address)
  return { address, networks, ...(name !== '' && { userAgent: name }), requestId }
}

/** The client's part of an audit event. */
export function originOf({ address, requestId }: Client): { readonly address: string; readonly requestId: string } {
  return { address, requestId }
}
