import { readyzContract } from '../contract/health.ts'
import type { Database } from '../database/database.ts'
import { refuse } from '../problems.ts'
import { type Operation, operation } from '../server/operation.ts'

/** `isDraining` turns true when the process was told to stop, so that load balancers look elsewhere before it closes. */
export function readyz(database: Database, isDraining: () => boolean): Operation {
  return operation(readyzContract, async () => {
    if (isDraining()) refuse('shutting_down', { retryAfterSeconds: 5 })
    await database.ping()
    return { status: 'ok' }
  })
}
