/** Every limit of the database's connections, with its reason. Source: docs/decisions, "database connections". */
export interface DatabaseLimits {
  /** Connections of the pool. PostgreSQL serves few busy connections better than many. */
  readonly connectionsMax: number
  /** Connections for health and rate limits, which never wait behind the pool. */
  readonly sideConnectionsMax: number
  /** Lists streamed at once; one more waits `connectTimeoutMs` and is refused. */
  readonly streamsMax: number
  /** Callers that may wait for a connection; past this they are refused at once, so that a backlog cannot grow. */
  readonly waitingMax: number
  /** A caller waits this long for a connection, new or free, then gets 503. */
  readonly connectTimeoutMs: number
  /** The server ends a statement after this. */
  readonly statementTimeoutMs: number
  /** The server stops waiting for a lock after this. */
  readonly lockTimeoutMs: number
  /** The server ends a transaction whose owner went quiet. */
  readonly idleInTransactionTimeoutMs: number
  /** The client stops waiting for an answer; above `statementTimeoutMs`, so it only speaks when the link is dead. */
  readonly queryTimeoutMs: number
  /** A connection is renewed after this, so that a changed address or password is taken up. */
  readonly connectionLifetimeSeconds: number
  /** The server ends a streamed list whose next batch of rows takes longer. */
  readonly streamBatchTimeoutMs: number
  /** The server cuts off the reader of a streamed list who takes nothing for this long: it holds a snapshot and a connection. */
  readonly streamPauseTimeoutMs: number
  /** How long `close` waits for what is still running. */
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
  streamBatchTimeoutMs: 30_000,
  streamPauseTimeoutMs: 60_000,
  closeTimeoutMs: 5_000,
}
