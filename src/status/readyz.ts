import type { Issuers } from '../identity/issuers/open-issuers.ts'
import { type Operation, operation } from '../identity/operation.ts'
import type { ClockOffset } from '../platform/database/clock-offset.ts'
import { refuse } from '../platform/problems.ts'
import { readyzContract } from './health-contract.ts'

/** `isDraining` turns true at SIGTERM, so that load balancers choose other nodes before the port closes. */
export function readyz(parts: {
  readonly clockOffset: ClockOffset
  readonly issuers: Issuers
  readonly isDraining: () => boolean
  /** Caches that depend on the database must not wait until they notice it themselves. */
  readonly onDatabaseUnreachable: () => void
}): Operation<typeof readyzContract> {
  return operation(readyzContract, async () => {
    if (parts.isDraining()) refuse('shutting_down', { retryAfterSeconds: 5 })
    await parts.clockOffset.measure().catch((error: unknown) => {
      parts.onDatabaseUnreachable()
      throw error
    })
    // Only named: a 503 would take every node out of service at once, for the users of all other issuers too.
    const issuers = parts.issuers
      .keyStates()
      .flatMap(({ issuer, keys }) => (keys === 'fresh' ? [] : [{ issuer, keys }]))
    return { status: 'ok' as const, ...(issuers.length > 0 && { issuers }) }
  })
}
