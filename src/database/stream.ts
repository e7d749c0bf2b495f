import type { Pool, PoolClient } from 'pg'
import QueryStream from 'pg-query-stream'

import type { Statement, StreamOptions } from './database.ts'
import { asProblem } from './faults.ts'

const batchRowsDefault = 1_000

export interface StreamConnections {
  readonly connect: () => Promise<PoolClient>
  /** Another connection, from which a running statement is cancelled: `pg` cannot end what it has sent. */
  readonly side: Pool
}

/**
 * The first column of every row, as text, in batches. The rows of one statement are one snapshot. At most `batchRows` rows are
 * read ahead of the reader. Ends early by leaving the loop or by `signal`; either way the statement is cancelled in the server.
 */
export async function* streamTexts(
  connections: StreamConnections,
  statement: Statement,
  values: readonly unknown[],
  { signal, batchRows = batchRowsDefault }: StreamOptions,
): AsyncGenerator<string[], void, void> {
  signal?.throwIfAborted()
  const client = await connections.connect()
  let finished = false
  try {
    const backend = await backendOf(client)
    const rows = new QueryStream(statement.text, [...values], { rowMode: 'array', batchSize: batchRows })
    // What ends the stream early ends its statement too, even one that has not produced a row yet.
    const cancel = () => void cancelBackend(connections.side, backend)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      yield* inBatches(client.query(rows), batchRows)
      finished = true
    } finally {
      signal?.removeEventListener('abort', cancel)
      if (!finished) await cancelBackend(connections.side, backend)
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw asProblem(error)
  } finally {
    // An unfinished portal may still hold its snapshot: that connection is closed, never reused.
    client.release(!finished)
  }
}

async function* inBatches(rows: AsyncIterable<unknown>, batchRows: number): AsyncGenerator<string[], void, void> {
  let batch: string[] = []
  for await (const row of rows) {
    // The driver's type for a row is `any`: with `rowMode: 'array'` it is the list of its columns.
    if (!Array.isArray(row) || typeof row[0] !== 'string') throw new TypeError('a streamed row must begin with a text')
    batch.push(row[0])
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function backendOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [row] = rows
  if (row === undefined) throw new TypeError('pg_backend_pid() answered nothing')
  return row.pid
}

/** A statement that cannot be cancelled ends by its own timeout: nothing more can be done here. */
async function cancelBackend(side: Pool, backend: number): Promise<void> {
  await side.query('select pg_cancel_backend($1)', [backend]).catch(() => undefined)
}
