import type { Rows, Statement } from './database.ts'

/** The table, also for a database that no migration has reached yet. */
export const namedLockTable = 'create unlogged table if not exists named_lock (name text primary key)'

/**
 * A statement that waits until no other transaction holds the name, which this one then holds until it ends. `name` and `former` are SQL: the
 * name, and the keys of the advisory lock that releases before migration 160 take.
 */
export function lockStatement(statementName: string, { name, former }: LockTexts): Statement {
  return { name: statementName, text: `select lock_name(${name}, array[${former}]::bigint[])` }
}

interface LockTexts {
  readonly name: string
  readonly former: string
}

/** Makes the row of a name, which `try_lock_name` needs. */
export async function makeLock(rows: Rows, name: string): Promise<void> {
  await rows.query(makeStatement, [name])
}

const makeStatement = {
  name: 'named_lock_make',
  text: 'insert into named_lock values ($1) on conflict do nothing',
}
