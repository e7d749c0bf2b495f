import type { Database, Rows } from './database.ts'
import { makeLock } from './named-locks.ts'

export type NodeLock = 'billingSync' | 'upkeep'

/**
 * Runs `work` unless a node is at it already, and answers `undefined` then. A transaction on a connection of its own holds the lock: it ends
 * with the process that holds it, also behind a pooler.
 */
export async function onOneNode<Result>(
  database: Pick<Database, 'connect' | 'query'>,
  lock: NodeLock,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  await makeLock(database, lock)
  const client = await database.connect()
  try {
    // The transaction does nothing while the work is under way.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ xid: string | null }>(tryText, [lock])
    const [held] = rows
    if (!held?.xid) return undefined
    await database.query(startedStatement, [lock, held.xid])
    return await work()
  } finally {
    // Before the caller goes on: behind a proxy the server notices the end of a connection later. The transaction of a lost one has ended.
    await client.query('rollback').catch(() => undefined)
    await client.end()
  }
}

const tryText = 'select try_lock_name($1)::text as xid'

/** Visible while the transaction that holds the lock is not. */
const startedStatement = {
  name: 'node_task_started',
  text: `
insert into node_task (name, xid) values ($1, $2::xid8)
on conflict (name) do update set xid = excluded.xid`,
}

/** Whether a node is at it now: the transaction that holds the lock has not ended. Reads only. */
export async function isOnOneNode(rows: Rows, lock: NodeLock): Promise<boolean> {
  return (await rows.query(runningStatement, [lock])).length > 0
}

const runningStatement = {
  name: 'node_task_running',
  text: 'select from node_task where name = $1 and not pg_visible_in_snapshot(xid, pg_current_snapshot())',
}
