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
