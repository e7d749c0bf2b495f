import type { Rows, Statement } from './database.ts'

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
export async function createLock(rows: Rows, name: string): Promise<void> {
  await rows.query(createStatement, [name])
}

const createStatement = {
  name: 'named_lock_make',
  text: 'insert into named_lock values ($1) on conflict do nothing',
}
