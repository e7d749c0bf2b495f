import type { Issuers } from '../identity/issuers/open-issuers.ts'
import { type Operation, operation } from '../identity/operation.ts'
import type { ClockOffset } from '../platform/database/clock-offset.ts'
import type { Database } from '../platform/database/database.ts'
import type { DatabaseState } from '../platform/database/faults.ts'
import type { SchemaWatch } from '../platform/database/schema.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { livezContract, readyzContract } from './health-contract.ts'
import { metricsContract } from './metrics-contract.ts'
import { type SystemStatus, systemContract } from './system-contract.ts'

export function livez(): Operation<typeof livezContract> {
  return operation(livezContract, () => ({ status: 'ok' as const }))
}

/** `isDraining` becomes true at SIGTERM, so that load balancers choose other nodes before the port closes. */
export function readyz(parts: {
  readonly clockOffset: ClockOffset
  readonly database: Database
  readonly schema: SchemaWatch
  readonly issuers: Issuers
  readonly isDraining: () => boolean
}): Operation<typeof readyzContract> {
  return operation(readyzContract, async () => {
    if (parts.isDraining()) refuse('shutting_down', { retryAfterSeconds: 5 })
    const database = await readiness(parts)
    await parts.schema.check()
    // Only listed: a 503 would take every node out of service, also for users of other issuers.
    const issuers = parts.issuers
      .keyStates()
      .flatMap(({ issuer, keys }) => (keys === 'fresh' ? [] : [{ issuer, keys }]))
    return { status: 'ok' as const, ...(database && { database }), ...(issuers.length > 0 && { issuers }) }
  })
}

/**
 * The state of a database that serves requests, unless it is `up`. Only listed: a 503 from every node would also stop
 * reads. Problem: `database_unavailable` if it does not serve.
 */
async function readiness({
  database,
  clockOffset,
}: {
  readonly database: Database
  readonly clockOffset: ClockOffset
}): Promise<Exclude<DatabaseState, 'up' | 'refused' | 'unreachable'> | undefined> {
  try {
    await clockOffset.measure()
  } catch (error) {
    const { state } = database.health()
    if (!(error instanceof Problem) || state === 'up') throw error
    throw new Problem(error.code, { ...error.more, detail: `The database is in the state ${state}.` })
  }
  const { state } = database.health()
  return state === 'read_only' || state === 'full' || state === 'saturated' ? state : undefined
}

/** `read` calls only the database: a request must not wait for an issuer or a mail server. */
export function system(read: () => Promise<SystemStatus>): Operation<typeof systemContract> {
  return operation(systemContract, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    return read()
  })
}

export function metrics({ registry, text }: Metrics): Operation<typeof metricsContract> {
  return operation(metricsContract, async ({ reply }) => {
    reply.type(registry.contentType).header('cache-control', 'no-store')
    return text()
  })
}
