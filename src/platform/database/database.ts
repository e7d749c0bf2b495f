import { hash } from 'node:crypto'
import { type Client, DatabaseError } from 'pg'
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

/** Runs one statement for a list of items. Returns one result per item, in order; an `Error` rejects only that item. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>

/**
 * SQL for the array parameters $1, $2, … as a table.
 *
 * The subselect around each parameter hides the array's length from the planner. Without it PostgreSQL prefers a custom plan for few
 * items and replans every call, which costs several times as much as the statement.
 */
export function unnestOf(...types: readonly string[]): string {
  const lists = types.map((type, index) => `(select $${index + 1}::${type}[])`)
  return `unnest(${lists.join(', ')})`
}

interface BatchOptions {
  /** Maximum number of items per statement. */
  readonly itemsMax: number
  /** true: run one statement at a time and collect new items meanwhile. false: start each statement immediately. */
  readonly isOneAtATime: boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * Combines items of concurrent requests into one statement: a round trip costs several times as much as another row.
 * Nothing is cached: an item never gets the result of a statement that started before the item arrived.
 */
export function createBatches<Item, Result>(
  run: RunBatch<Item, Result>,
  { itemsMax, isOneAtATime }: BatchOptions = { itemsMax: 200, isOneAtATime: true },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running: Promise<unknown> = Promise.resolve()

  function start(): void {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax)
      running = isOneAtATime ? running.then(() => runBatch(run, batch)) : runBatch(run, batch)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const count = waiting.push({ item, resolve, reject })
      // Wait one tick, so that everything already received joins the batch. Scheduling in the context of the first item puts the
      // statement's span into that item's trace.
      if (count === 1) setImmediate(() => void (isOneAtATime ? running.then(start) : start()))
    })
}

async function runBatch<Item, Result>(
  run: RunBatch<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const results = await runEach(
    run,
    batch.map(({ item }) => item),
  )
  for (const [index, result] of results.entries())
    if (result instanceof Error) batch[index]?.reject(result)
    else batch[index]?.resolve(result)
}

/** Never rejects. If PostgreSQL rejects the batch, runs each item alone, so that one bad item fails only itself. */
async function runEach<Item, Result>(
  run: RunBatch<Item, Result>,
  items: readonly Item[],
): Promise<readonly (Result | Error)[]> {
  try {
    const results = await run(items)
    if (results.length === items.length) return results
    throw new Error(`A statement returned ${results.length} results for ${items.length} items.`)
  } catch (error) {
    if (error instanceof DatabaseError && items.length > 1)
      return (await Promise.all(items.map((item) => runEach(run, [item])))).flat()
    const failure = error instanceof Error ? error : new Error('A statement failed.', { cause: error })
    return items.map(() => failure)
  }
}
