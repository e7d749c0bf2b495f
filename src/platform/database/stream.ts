import type { PoolClient } from 'pg'

import type { Rows, Statement, StreamOptions } from './database.ts'
import { asProblem } from './faults.ts'
import type { DatabaseLimits } from './limits.ts'

const batchRowsDefault = 1_000

interface StreamConnections {
  readonly connect: () => Promise<PoolClient>
  readonly rowsOf: (client: PoolClient) => Rows
  /** Terminates a running statement: `pg` cannot cancel it on its own connection. */
  readonly side: Rows
  readonly limits: Pick<DatabaseLimits, 'streamBatchTimeoutMs' | 'streamPauseTimeoutMs' | 'queryTimeoutMs'>
  readonly onFailed: (error: unknown) => void
}

/**
 * Yields the first column of every row as text, in batches, through a cursor: one statement, one snapshot. Reads one batch ahead. The
 * statement timeout applies to each batch, and the idle-in-transaction timeout to pauses of the reader. Leaving the loop or aborting
 * `signal` terminates the statement.
 */
export async function* streamTexts(
  { connect, rowsOf, side, limits, onFailed }: StreamConnections,
  statement: Statement,
  values: readonly unknown[],
  { signal, batchRows = batchRowsDefault, before }: StreamOptions,
): AsyncGenerator<string[], void, void> {
  signal?.throwIfAborted()
  const client = await connect()
  const connection = cancelable(client, side)
  signal?.addEventListener('abort', connection.cancel)
  try {
    signal?.throwIfAborted()
    const { streamBatchTimeoutMs, streamPauseTimeoutMs } = limits
    // Set in the transaction: the connection may come from another pool, or from a pooler that ignores parameters.
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
        connection.release()
        if (rows.length > 0) yield rows
        return
      }
      batch = fetchBatch()
      // If the reader leaves the loop, nothing awaits this batch.
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

interface CancelableConnection {
  /** Returns the connection to the pool. */
  release(): void
  /** Terminates the running statement and the connection. Does nothing after `release`. */
  cancel(): void
}

function cancelable(client: PoolClient, side: Rows): CancelableConnection {
  let isReleased = false
  return {
    release() {
      if (!isReleased) client.release()
      isReleased = true
    },
    cancel() {
      if (isReleased) return
      isReleased = true
      terminateBackend(client, side)
      client.release(true)
    },
  }
}

/**
 * Uses another connection, because the server notices a closed connection only when it writes to it. Terminates the backend instead of
 * canceling: a cancellation between two statements has no effect on the second.
 */
function terminateBackend(client: PoolClient, side: Rows): void {
  // The types of `pg` lack `processID`.
  if (!('processID' in client)) return
  side.query({ name: '', text: 'select pg_terminate_backend($1)' }, [client.processID]).catch(() => undefined)
}
