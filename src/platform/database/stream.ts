import type { PoolClient } from 'pg'

import type { SideConnections, Statement, StreamOptions } from './database.ts'
import { asProblem } from './faults.ts'

const batchRowsDefault = 1_000

export interface StreamConnections {
  readonly connect: () => Promise<PoolClient>
  /** Another connection, which ends a running statement: `pg` cannot cancel on the connection itself. */
  readonly side: SideConnections
  readonly onFailed: (error: unknown) => void
}

/**
 * The first column of every row, as text, in batches, through a cursor: one statement, one snapshot. At most one batch is read ahead. The
 * server's statement timeout applies to each batch, and its idle-in-transaction timeout to the pauses of the reader. Leaving the loop or
 * aborting `signal` ends the statement in the server.
 */
export async function* streamTexts(
  { connect, side, onFailed }: StreamConnections,
  statement: Statement,
  values: readonly unknown[],
  { signal, batchRows = batchRowsDefault }: StreamOptions,
): AsyncGenerator<string[], void, void> {
  signal?.throwIfAborted()
  const client = await connect()
  const connection = borrowed(client, side)
  signal?.addEventListener('abort', connection.cancel)
  try {
    signal?.throwIfAborted()
    await client.query('begin read only')
    await client.query(`declare streamed no scroll cursor for ${statement.text}`, [...values])
    for (let batch = fetchBatch(client, batchRows); ; ) {
      const rows = await batch
      signal?.throwIfAborted()
      if (rows.length < batchRows) {
        await client.query('commit')
        connection.giveBack()
        if (rows.length > 0) yield rows
        return
      }
      batch = fetchBatch(client, batchRows)
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

async function fetchBatch(client: PoolClient, batchRows: number): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text: `fetch ${batchRows} from streamed`, rowMode: 'array' })
  return rows.map(([text]) => text)
}

interface Borrowed {
  /** Returns the connection to the pool for further use. */
  giveBack(): void
  /** Ends the running statement and the connection. Does nothing after `giveBack`. */
  cancel(): void
}

function borrowed(client: PoolClient, side: SideConnections): Borrowed {
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
function endBackend(client: PoolClient, side: SideConnections): void {
  // The process id of the connection's backend; the types of `pg` lack it.
  if (!('processID' in client)) return
  side.query('select pg_terminate_backend($1)', [client.processID]).catch(() => undefined)
}
