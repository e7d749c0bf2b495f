import type { Database, Rows, Statement } from './database.ts'

/** Creates the table in a database without migrations. */
export const namedLockTable = 'create unlogged table if not exists named_lock (name text primary key)'

/**
 * A statement that waits for the lock with this name and holds it until the transaction ends. `nameExpression` is an SQL expression, such
 * as `$1`.
 */
export function lockStatement(statementName: string, nameExpression: string): Statement {
  return { name: statementName, text: `select lock_name(${nameExpression})` }
}

/** Inserts the row that `try_lock_name` requires. */
async function createLock(rows: Rows, name: string): Promise<void> {
  await rows.query(createStatement, [name])
}

const createStatement = {
  name: 'named_lock_make',
  text: 'insert into named_lock values ($1) on conflict do nothing',
}

type NodeLock = 'billingSync' | 'upkeep'

/**
 * Runs `work`, or returns `undefined` if another node is already running it. A transaction on a separate connection holds the lock, so the
 * lock ends with its process, even behind a pooler.
 */
export async function runOnOneNode<Result>(
  database: Pick<Database, 'connect' | 'query'>,
  lock: NodeLock,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  await createLock(database, lock)
  const client = await database.connect()
  try {
    // The transaction is idle while the work runs.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ xid: string | null }>(tryText, [lock])
    const [acquired] = rows
    if (!acquired?.xid) return undefined
    await database.query(startedStatement, [lock, acquired.xid])
    return await work()
  } finally {
    // Releases the lock before the caller continues: behind a proxy the server notices a closed connection late.
    await client.query('rollback').catch(() => undefined)
    await client.end()
  }
}

const tryText = 'select try_lock_name($1)::text as xid'

/** Committed separately, so that other nodes see the transaction that holds the lock. */
const startedStatement = {
  name: 'node_task_started',
  text: `
insert into node_task (name, xid) values ($1, $2::xid8)
on conflict (name) do update set xid = excluded.xid`,
}

/** True while any node runs the work, that is, until the transaction that holds the lock ends. Read-only. */
export async function isRunningOnANode(rows: Rows, lock: NodeLock): Promise<boolean> {
  return (await rows.query(runningStatement, [lock])).length > 0
}

const runningStatement = {
  name: 'node_task_running',
  text: 'select from node_task where name = $1 and not pg_visible_in_snapshot(xid, pg_current_snapshot())',
}
