import type { AuditOrigin } from '../../platform/audit/audit.ts'
import { networkOf, unknownNetwork } from '../../platform/rate-limit/network.ts'

/** Whoever is at the other end, as far as it is kept: for a person's list of sessions, for waits and for the audit trail. */
export interface Client extends AuditOrigin {
  readonly address: string
  readonly network: string
  readonly userAgent?: string
  readonly requestId: string
}

const userAgentLengthMax = 200
const addressLengthMax = 100

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
  // A proxy may say anything of where a request came from.
  const network = networkOf(address)
  const place = { address: network === unknownNetwork ? network : address.slice(0, addressLengthMax), network }
  const told = userAgent
    .slice(0, userAgentLengthMax)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()
  return { ...place, ...(told !== '' && { userAgent: told }), requestId }
}
