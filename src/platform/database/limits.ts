/** Every limit of the database connections, with its reason. See docs/decisions/database.md. */
export interface DatabaseLimits {
  /** Connections of the pool. PostgreSQL serves a few busy connections better than many. */
  readonly connectionsMax: number
  /** Connections for health, changes and rate limits, which never wait behind the pool. */
  readonly sideConnectionsMax: number
  /** Lists streamed at the same time; a further one waits `connectTimeoutMs` and is refused. */
  readonly streamsMax: number
  /** Requests that may wait for a connection; a further one is refused at once, so that the backlog is bounded. */
  readonly waitingMax: number
  /** A request waits this long for a new or free connection, then gets 503. */
  readonly connectTimeoutMs: number
  /** The server ends a statement after this. */
  readonly statementTimeoutMs: number
  /** The server stops waiting for a lock after this. */
  readonly lockTimeoutMs: number
  /** The server ends a transaction that sends no statement for this long. */
  readonly idleInTransactionTimeoutMs: number
  /** The client stops waiting for a result. Longer than `statementTimeoutMs`, so that it applies to a lost link only. */
  readonly queryTimeoutMs: number
  /** A connection is replaced after this, so that a changed address or password takes effect. */
  readonly connectionLifetimeSeconds: number
  /** An idle connection is closed after this; with 0 it is kept, where the server has few. */
  readonly idleTimeoutMs: number
  /** The server ends a streamed list whose next batch of rows takes longer. */
  readonly streamBatchTimeoutMs: number
  /** The server disconnects a reader of a streamed list that reads nothing for this long, because it holds a snapshot and a connection. */
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
