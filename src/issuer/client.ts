import { networkOf } from '../access/network.ts'
import type { AuditOrigin } from '../audit/audit.ts'

/** Whoever is at the other end, as far as it is kept: for a person's list of sessions, for waits and for the audit trail. */
export interface Client extends AuditOrigin {
  readonly address: string
  readonly network: string
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200

/** What a client says of itself is cut, and kept in printable ASCII: it will be shown to people. */
export function describeClient({
  address,
  userAgent = '',
  requestId,
}: {
  readonly address: string
  readonly userAgent?: string | undefined
  readonly requestId: string
}): Client {
  const told = userAgent
    .slice(0, userAgentLengthMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
  return { address, network: networkOf(address), ...(told !== '' && { userAgent: told }), requestId }
}
