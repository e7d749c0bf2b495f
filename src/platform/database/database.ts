import type { Client } from 'pg'

import type { PoolCounts } from './connection-pool.ts'
import type { Condition } from './state.ts'

/**
 * One SQL statement. `name` is unique in the process, and a second text under it is refused as a defect: the server parses and plans
 * a named statement once per connection.
 */
export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Rows {
  /** The user of the operating system on whose behalf a command of the operator uses this connection; the audit trail records it. */
  readonly operator?: string
  /**
   * The rows of one statement. Types are those of `pg`: `bigint` and `numeric` arrive as text, `timestamptz` as `Date`, `json` parsed.
   * Problems: `database_unavailable`, `read_only`. An answer of PostgreSQL that the caller can decide by (a `DatabaseError` with its
   * SQLSTATE in `code`, such as 23505) is thrown unchanged.
   */
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

export interface StreamOptions {
  /** Ends the statement in the server, frees its connection and rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Rows in one batch, and rows read ahead of a slow reader. */
  readonly batchRows?: number
  /** Called on the connection before the statement; where it rejects, nothing is read. */
  readonly before?: (rows: Rows) => Promise<void>
}

export interface Database extends Rows {
  /**
   * Commits when `work` resolves and rolls back when it rejects. Every statement of the transaction must use the `rows` that `work`
   * receives; a query of the database itself would wait for a second connection.
   */
  transaction<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  /**
   * The first column of every row as text, in batches, from one snapshot, on a connection of its own. The server waits for a slow
   * reader; leaving the loop ends the statement.
   */
  stream(
    statement: Statement,
    values: readonly unknown[],
    options?: StreamOptions,
  ): AsyncGenerator<string[], void, void>
  /** A connection outside the pools, without time limits, for migrations and the locks of long tasks. The caller handles its errors and ends it. */
  connect(): Promise<Client>
  /**
   * Resolves when the database answers, with its time in milliseconds since 1970. Never waits behind an exhausted pool.
   * Problems: `database_unavailable`.
   */
  ping(): Promise<number>
  /** What this node knows about the database, without asking it. */
  health(): DatabaseHealth
  /** A few connections apart from the pool, for statements that must not wait behind it: health, changes and rate limits. */
  readonly side: Rows
  /** Opens one connection of each pool. With `idleTimeoutMs` 0 it is kept, so that no other node can take the last one. */
  hold(): Promise<void>
  /** Waits a bounded time for running statements, closes every connection, and stops the embedded server if no other process uses it. */
  close(): Promise<void>
}

export interface DatabaseHealth extends Condition {
  /** Failures since the start, by SQLSTATE or by the code of the system's error. */
  readonly failures: ReadonlyMap<string, number>
  readonly pools: Readonly<Record<'main' | 'side' | 'streams', PoolCounts>>
}
