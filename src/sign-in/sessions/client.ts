import type { FastifyRequest } from 'fastify'
import type { AuditOrigin } from '../../platform/audit/audit.ts'
import { describeAddress, networkOf } from '../../platform/rate-limit/network.ts'

/** The client of a request, as it is stored: for the list of sessions, for login throttling and for the audit trail. */
export interface Client extends AuditOrigin {
  readonly address: string
  readonly network: string
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200

export function clientOf({ ip, headers, id }: FastifyRequest): Client {
  return describeClient({ address: ip, userAgent: headers['user-agent'], requestId: id })
}

/** The user agent is shortened and reduced to printable ASCII, because it will be displayed. */
export function describeClient({
  address,
  userAgent = '',
  requestId,
}: {
  readonly address: string
  readonly userAgent?: string | undefined
  readonly requestId: string
}): Client {
  // A proxy can send any text as the address of a request.
  const place = { address: describeAddress(address), network: networkOf(address) }
  const name = userAgent
    .slice(0, userAgentLengthMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
  return { ...place, ...(name !== '' && { userAgent: name }), requestId }
}

/** What the audit trail records of a client. */
export function originOf({ address, requestId }: Client): { readonly address: string; readonly requestId: string } {
  return { address, requestId }
}
