import type { ConnectionFacts } from './server-facts.ts'

/** Limits of the database connections. See docs/decisions/database.md. */
export interface DatabaseLimits {
  /** Connections of the main pool. PostgreSQL serves a few busy connections better than many. */
  readonly connectionsMax: number
  /** Connections for health checks, changes and rate limits, which never wait for the main pool. */
  readonly sideConnectionsMax: number
  /** Lists streamed at the same time. Another one waits `connectTimeoutMs` and is then rejected. */
  readonly streamsMax: number
  /** Requests that may wait for a connection. Another one is rejected immediately, so that the backlog is bounded. */
  readonly waitingMax: number
  /** How long a request waits for a new or free connection. Then it gets 503. */
  readonly connectTimeoutMs: number
  /** The server cancels a statement after this time. */
  readonly statementTimeoutMs: number
  /** The server stops waiting for a lock after this time. */
  readonly lockTimeoutMs: number
  /** The server ends a transaction that sends no statement for this long. */
  readonly idleInTransactionTimeoutMs: number
  /** The client stops waiting for a result. Longer than `statementTimeoutMs`, so that it only applies to lost connections. */
  readonly queryTimeoutMs: number
  /** A connection is replaced after this time, so that a changed address or password takes effect. */
  readonly connectionLifetimeSeconds: number
  /** An idle connection is closed after this time. 0 keeps it open, for servers with few connections. */
  readonly idleTimeoutMs: number
  /** The server cancels a streamed list if its next batch of rows takes longer. */
  readonly streamBatchTimeoutMs: number
  /** The server disconnects a streamed list whose reader pauses longer, because the list holds a snapshot and a connection. */
  readonly streamPauseTimeoutMs: number
  /** How long `close` waits for running statements. */
  readonly closeTimeoutMs: number
}

export const databaseLimits: DatabaseLimits = {
  connectionsMax: 10,
  sideConnectionsMax: 4,
  streamsMax: 4,
  waitingMax: 1_000,
  connectTimeoutMs: 1_000,
  statementTimeoutMs: 3_000,
  lockTimeoutMs: 1_000,
  idleInTransactionTimeoutMs: 10_000,
  queryTimeoutMs: 4_000,
  connectionLifetimeSeconds: 1_800,
  idleTimeoutMs: 10_000,
  streamBatchTimeoutMs: 30_000,
  streamPauseTimeoutMs: 60_000,
  closeTimeoutMs: 5_000,
}

/** How many connections this node wants, and how many the server has. */
export interface ConnectionBudget {
  /** Maximum number of connections that this node opens. */
  readonly wanted: number
  /** Connections that this node can open now. */
  readonly available: number
  /** Connections that remain for others once this node has opened all of its own. */
  readonly left: number
  /** The limits of this node, reduced if `available` is less than `wanted`. */
  readonly limits: DatabaseLimits
  readonly isShort: boolean
}

/** Short-lived connections outside the pools: a probe, a migration or the billing reconciliation. */
export const connectionsOutsidePools = 1

/** Minimum pool sizes: with fewer connections, no list could be streamed while another request runs. */
const poolMinimums = { connectionsMax: 2, sideConnectionsMax: 1, streamsMax: 1 } as const

/** Compares current usage with the limits. Does not know which connections others may still open. */
export function connectionBudget(facts: ConnectionFacts, limits: DatabaseLimits): ConnectionBudget {
  const wanted = poolConnections(limits) + connectionsOutsidePools
  const available = Math.max(
    0,
    Math.min(
      facts.max - facts.reserved - facts.used,
      (facts.roleLimit ?? Number.POSITIVE_INFINITY) - facts.roleUsed,
      (facts.databaseLimit ?? Number.POSITIVE_INFINITY) - facts.databaseUsed,
    ),
  )
  const isShort = available < wanted
  const fitted = isShort ? shrink(limits, available - connectionsOutsidePools) : limits
  const taken = poolConnections(fitted) + connectionsOutsidePools
  return { wanted, available, left: Math.max(0, available - taken), limits: fitted, isShort }
}

function poolConnections({ connectionsMax, sideConnectionsMax, streamsMax }: DatabaseLimits): number {
  return connectionsMax + sideConnectionsMax + streamsMax
}

function shrink(limits: DatabaseLimits, connections: number): DatabaseLimits {
  const share = (wanted: number) => Math.floor((Math.max(0, connections) * wanted) / poolConnections(limits))
  const sideConnectionsMax = Math.max(poolMinimums.sideConnectionsMax, share(limits.sideConnectionsMax))
  const streamsMax = Math.max(poolMinimums.streamsMax, share(limits.streamsMax))
  const rest = connections - sideConnectionsMax - streamsMax
  const connectionsMax = Math.max(poolMinimums.connectionsMax, Math.min(limits.connectionsMax, rest))
  // No idle timeout: another client could take a closed connection.
  return { ...limits, connectionsMax, sideConnectionsMax, streamsMax, idleTimeoutMs: 0 }
}
