import type { PoolClient } from 'pg'

import type { Rows, Statement, StreamOptions } from './database.ts'
import { asProblem } from './faults.ts'
import type { DatabaseLimits } from './limits.ts'

const batchRowsDefault = 1_000

export interface StreamConnections {
  readonly connect: () => Promise<PoolClient>
  readonly rowsOf: (client: PoolClient) => Rows
  /** Another connection, which ends a running statement: `pg` cannot cancel on the connection itself. */
  readonly side: Rows
  readonly limits: Pick<DatabaseLimits, 'streamBatchTimeoutMs' | 'streamPauseTimeoutMs' | 'queryTimeoutMs'>
  readonly onFailed: (error: unknown) => void
}

/**
 * The first column of every row, as text, in batches, through a cursor: one statement, one snapshot. At most one batch is read ahead. The
 * server's statement timeout applies to each batch, and its idle-in-transaction timeout to the pauses of the reader. Leaving the loop or
 * aborting `signal` ends the statement in the server.
 */
export async function* streamTexts(
  { connect, rowsOf, side, limits, onFailed }: StreamConnections,
  statement: Statement,
  values: readonly unknown[],
  { signal, batchRows = batchRowsDefault, before }: StreamOptions,
): AsyncGenerator<string[], void, void> {
  signal?.throwIfAborted()
  const client = await connect()
  const connection = borrowed(client, side)
  signal?.addEventListener('abort', connection.cancel)
  try {
    signal?.throwIfAborted()
    const { streamBatchTimeoutMs, streamPauseTimeoutMs } = limits
    // Set here and not for the connection: it may be one of another pool, or of a pooler that ignores parameters.
    await client.query(
      `begin read only; set local statement_timeout = ${streamBatchTimeoutMs}; set local idle_in_transaction_session_timeout = ${streamPauseTimeoutMs}`,
    )
    await before?.(rowsOf(client))
    const query_timeout = streamBatchTimeoutMs + limits.queryTimeoutMs
    const declare = { text: `declare streamed no scroll cursor for ${statement.text}`, query_timeout }
    await client.query(declare, [...values])
    const fetchBatch = () => fetchTexts(client, batchRows, query_timeout)
    for (let batch = fetchBatch(); ; ) {
      const rows = await batch
      signal?.throwIfAborted()
      if (rows.length < batchRows) {
        await client.query('commit')
        connection.giveBack()
        if (rows.length > 0) yield rows
        return
      }
      batch = fetchBatch()
      // If the reader leaves the loop, nothing awaits this batch any more.
      batch.catch(() => undefined)
      yield rows
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    const problem = asProblem(error)
    if (problem !== error) onFailed(error)
    throw problem
  } finally {
    signal?.removeEventListener('abort', connection.cancel)
    connection.cancel()
  }
}

async function fetchTexts(client: PoolClient, batchRows: number, query_timeout: number): Promise<string[]> {
  const fetch = { text: `fetch ${batchRows} from streamed`, rowMode: 'array', query_timeout } as const
  const { rows } = await client.query<[string]>(fetch)
  return rows.map(([text]) => text)
}

interface Borrowed {
  /** Returns the connection to the pool for further use. */
  giveBack(): void
  /** Ends the running statement and the connection. Does nothing after `giveBack`. */
  cancel(): void
}

function borrowed(client: PoolClient, side: Rows): Borrowed {
  let isOver = false
  return {
    giveBack() {
      if (!isOver) client.release()
      isOver = true
    },
    cancel() {
      if (isOver) return
      isOver = true
      endBackend(client, side)
      client.release(true)
    },
  }
}

/**
 * The server detects a closed connection only when it writes to it, so another connection ends a statement that still computes. It
 * terminates the backend and does not cancel: a cancellation that arrives between two statements is lost, and the second would run on.
 */
function endBackend(client: PoolClient, side: Rows): void {
  // The process id of the connection's backend; the types of `pg` lack it.
  if (!('processID' in client)) return
  side.query({ name: '', text: 'select pg_terminate_backend($1)' }, [client.processID]).catch(() => undefined)
}
