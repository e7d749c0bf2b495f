import type { FastifyRequest } from 'fastify'
import type { AuditOrigin } from '../../platform/audit/audit.ts'
import type { ClientAddress } from '../../platform/http/client-address.ts'
import { networksOf } from '../../platform/rate-limit/network.ts'

/** The client of a request, as it is stored: for the list of sessions, for the limits of guessing and for the audit trail. */
export interface Client extends AuditOrigin {
  readonly address: string
  /** From the narrowest to the widest. None where a proxy that is not trusted gives all of its clients one address. */
  readonly networks: readonly string[]
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200

export function clientOf({ client, headers, id }: FastifyRequest): Client {
  return describeClient({ ...client, userAgent: headers['user-agent'], requestId: id })
}

/** The user agent is shortened and reduced to printable ASCII, because it will be displayed. */
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

/** What the audit trail records of a client. */
export function originOf({ address, requestId }: Client): { readonly address: string; readonly requestId: string } {
  return { address, requestId }
}
