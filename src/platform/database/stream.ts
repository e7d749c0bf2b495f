import type { Pool, PoolClient } from 'pg'

import type { Statement, StreamOptions } from './database.ts'
import { asProblem } from './faults.ts'

const batchRowsDefault = 1_000

export interface StreamConnections {
  readonly connect: () => Promise<PoolClient>
  /** Another connection, from which a running statement is cancelled: `pg` cannot take back what it has sent. */
  readonly side: Pool
}

/**
 * The first column of every row, as text, in batches, through a cursor: one statement, one snapshot. One batch is read ahead of the
 * reader, no more. Each batch has the server's statement timeout to itself, and a reader who pauses longer than the connection may
 * idle in its transaction is cut off. Leaving the loop or aborting `signal` ends the statement in the server.
 */
export async function* streamTexts(
  { connect, side }: StreamConnections,
  statement: Statement,
  values: readonly unknown[],
  { signal, batchRows = batchRowsDefault }: StreamOptions,
): AsyncGenerator<string[], void, void> {
  signal?.throwIfAborted()
  const client = await connect()
  const lease = leaseOf(client, side)
  signal?.addEventListener('abort', lease.cancel)
  try {
    signal?.throwIfAborted()
    await client.query('begin read only')
    await client.query(`declare streamed no scroll cursor for ${statement.text}`, [...values])
    for (let batch = fetchBatch(client, batchRows); ; ) {
      const rows = await batch
      signal?.throwIfAborted()
      if (rows.length < batchRows) {
        await client.query('commit')
        lease.giveBack()
        if (rows.length > 0) yield rows
        return
      }
      batch = fetchBatch(client, batchRows)
      // If the reader leaves, nobody asks how this one ended.
      batch.catch(() => undefined)
      yield rows
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : asProblem(error)
  } finally {
    signal?.removeEventListener('abort', lease.cancel)
    lease.cancel()
  }
}

async function fetchBatch(client: PoolClient, batchRows: number): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text: `fetch ${batchRows} from streamed`, rowMode: 'array' })
  return rows.map(([text]) => text)
}

interface Lease {
  /** The connection is as good as new. */
  giveBack(): void
  /** Whatever still runs on it is ended, and the connection with it. Nothing happens once it has been given back. */
  cancel(): void
}

function leaseOf(client: PoolClient, side: Pool): Lease {
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
 * The server notices a closed connection only when it writes to it; a statement that computes is told by another connection. Ended
 * and not cancelled: a cancellation that comes between two statements is lost, and the second would run on.
 */
function endBackend(client: PoolClient, side: Pool): void {
  // Not in the types of `pg`: the number by which PostgreSQL knows this connection.
  if (!('processID' in client)) return
  side.query('select pg_terminate_backend($1)', [client.processID]).catch(() => undefined)
}
