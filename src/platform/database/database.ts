import { hash } from 'node:crypto'
import type { Client } from 'pg'
import type { PoolCounts } from './connection-pool.ts'
import type { Condition } from './faults.ts'

/**
 * One SQL statement. The server parses and plans a named statement once per connection. Using one name for two texts throws a
 * `TypeError`. The empty name is for unnamed statements.
 */
export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Rows {
  /** For the audit log: the operating system user who runs the CLI command. */
  readonly operator?: string
  /**
   * Returns the rows of one statement. Types are those of `pg`: `bigint` and `numeric` as text, `timestamptz` as `Date`, `json` parsed.
   * Problems: `database_unavailable`, `read_only`. Throws other errors of PostgreSQL unchanged, as `DatabaseError` with the SQLSTATE in
   * `code`, such as 23505.
   */
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

export interface StreamOptions {
  /** Aborting cancels the statement on the server, releases the connection and throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Rows per batch. One batch is read ahead. */
  readonly batchRows?: number
  /** Called on the connection before the statement. If it rejects, the statement does not run. */
  readonly before?: (rows: Rows) => Promise<void>
}

export interface Database extends Rows {
  /**
   * Commits when `work` resolves and rolls back when it rejects. Statements in `work` must use its `rows`: a query on the database itself
   * would wait for a second connection.
   */
  transaction<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  /**
   * Yields the first column of every row as text, in batches, from one snapshot, on a separate connection. The server waits for a slow
   * reader. Leaving the loop cancels the statement.
   */
  stream(
    statement: Statement,
    values: readonly unknown[],
    options?: StreamOptions,
  ): AsyncGenerator<string[], void, void>
  /** Opens a connection outside the pools, without timeouts, for migrations and long locks. The caller must handle its errors and end it. */
  connect(): Promise<Client>
  /** Returns the time of the database in milliseconds since 1970. Uses a side connection. Problem: `database_unavailable`. */
  ping(): Promise<number>
  /** The last known state and counters. Sends no statement. */
  health(): DatabaseHealth
  /** A small separate pool for health checks, changes and rate limits, which must not wait for the main pool. */
  readonly side: Rows
  /** Opens one connection in each pool. With `idleTimeoutMs` 0 they stay open, so that other nodes cannot take the last one. */
  openPools(): Promise<void>
  /** Waits `closeTimeoutMs` for running statements and closes all connections. Stops the embedded server if no other process uses it. */
  close(): Promise<void>
}

export interface DatabaseHealth extends Condition {
  /** Failures since the start, by SQLSTATE or system error code. */
  readonly failures: ReadonlyMap<string, number>
  readonly pools: Readonly<Record<'main' | 'side' | 'streams', PoolCounts>>
}

export interface BoundStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/**
 * Builds a statement whose text binds values with `add`. The name contains a hash of the text, so that two texts never share a name. It
 * stays below 63 bytes, where PostgreSQL truncates names.
 */
export function boundStatement(prefix: string, build: (add: AddValue) => string): BoundStatement {
  const values: unknown[] = []
  const text = build((value) => `$${values.push(value)}`)
  const name = `${prefix}_${hash('sha256', text, 'base64url').slice(0, 22)}`
  return { statement: { name, text }, values }
}

/** Adds a value to the statement and returns its placeholder, such as `$1`. */
export type AddValue = (value: unknown) => string
