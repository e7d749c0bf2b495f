import type { Rows, Statement } from './database.ts'

/** The table, also for a database that no migration has reached yet. */
export const namedLockTable = 'create unlogged table if not exists named_lock (name text primary key)'

/** A statement that waits until no other transaction holds the name, an SQL expression. This one then holds it until it ends. */
export function lockStatement(statementName: string, name: string): Statement {
  return { name: statementName, text: `select lock_name(${name})` }
}

/** Makes the row of a name, which `try_lock_name` needs. */
export async function makeLock(rows: Rows, name: string): Promise<void> {
  await rows.query(makeStatement, [name])
}

const makeStatement = {
  name: 'named_lock_make',
  text: 'insert into named_lock values ($1) on conflict do nothing',
}
