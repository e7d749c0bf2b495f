import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { MonotonicClock } from './platform/database/freshness.ts'
import { openReplicas, type Replicas } from './platform/database/replica/open-replicas.ts'
import { tracedDatabase } from './platform/tracing/traced-database.ts'
import type { Tracing } from './platform/tracing/tracing.ts'

export interface ReplicaSurroundings {
  readonly log: Logger
  readonly monotonic?: MonotonicClock | undefined
  readonly tracing: Tracing | undefined
  /** Processes of this node. */
  readonly processes: number
}

/** The replicas of the configuration, where it has any. */
export function openConfiguredReplicas(
  { database: { replicaUrl, replicaLagSeconds, preparedStatements }, limits }: Config,
  primary: Database,
  { tracing, ...rest }: ReplicaSurroundings,
): Replicas | undefined {
  if (!replicaUrl) return undefined
  return openReplicas({
    url: replicaUrl,
    primary,
    lagMaxSeconds: replicaLagSeconds,
    streamsMax: limits.exportsMax,
    preparedStatements,
    traced: (database) => (tracing ? tracedDatabase(database, tracing) : database),
    ...rest,
  })
}
