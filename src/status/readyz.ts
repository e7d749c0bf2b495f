import type { Issuers } from '../identity/issuers/open-issuers.ts'
import { type Operation, operation } from '../identity/operation.ts'
import type { Database } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { readyzContract } from './health-contract.ts'

/** `isDraining` turns true when the process was told to stop, so that load balancers look elsewhere before it closes. */
export function readyz(parts: {
  readonly database: Database
  readonly issuers: Issuers
  readonly isDraining: () => boolean
}): Operation<typeof readyzContract> {
  return operation(readyzContract, async () => {
    if (parts.isDraining()) refuse('shutting_down', { retryAfterSeconds: 5 })
    await parts.database.ping()
    // Named, but no reason to take the node out: every node would go at once, and with them the people of all other issuers.
    const issuers = parts.issuers
      .keyStates()
      .flatMap(({ issuer, keys }) => (keys === 'fresh' ? [] : [{ issuer, keys }]))
    return { status: 'ok' as const, ...(issuers.length > 0 && { issuers }) }
  })
}
