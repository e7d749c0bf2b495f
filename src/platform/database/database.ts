import type { Client, Pool } from 'pg'

/**
 * One SQL statement. `name` is unique in the process, and a second text under it is refused as a defect: the server parses and plans
 * a named statement once per connection.
 */
export interface Statement {
  readonly name: string
  readonly text: string
}

export interface Rows {
  /**
   * The rows of one statement. Types are those of `pg`: `bigint` and `numeric` arrive as text, `timestamptz` as `Date`, `json` parsed.
   * Problems: `database_unavailable`. An answer of PostgreSQL that the caller can decide by (a `DatabaseError` with its
   * SQLSTATE in `code`, such as 23505) is thrown unchanged.
   */
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
}

export interface StreamOptions {
  /** Ends the statement in the server, frees its connection and rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Rows in one batch, and rows read ahead of a slow reader. */
  readonly batchRows?: number
}

export interface Database extends Rows {
  /**
   * All or nothing: what `work` did is committed when it resolves and rolled back when it rejects. Every statement of the
   * transaction goes through the `rows` it is given; asking the database itself inside waits for a second connection.
   */
  transaction<T>(work: (rows: Rows) => Promise<T>): Promise<T>
  /**
   * The first column of every row as text, in batches, from one snapshot, on a connection of its own. A slow reader holds the
   * server back; leaving the loop ends the statement.
   */
  stream(
    statement: Statement,
    values: readonly unknown[],
    options?: StreamOptions,
  ): AsyncGenerator<string[], void, void>
  /** A connection of one's own, without time limits, for LISTEN and migrations. The caller listens for its errors and ends it. */
  connect(): Promise<Client>
  /** Resolves when the database answers. Never waits behind an exhausted pool. Problems: `database_unavailable`. */
  ping(): Promise<void>
  /** Connections of the pool that are open and that are idle, and how many requests wait for one. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number }
  /** A few connections kept apart from the pool, for what must not wait behind it: health and rate limits. */
  readonly side: Pool
  /** Waits for what is running (bounded), closes every connection, and stops the embedded server if nobody else uses it. */
  close(): Promise<void>
}
