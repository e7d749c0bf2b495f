import { userInfo } from 'node:os'
import type { Rows } from '../src/platform/database/database.ts'
import type { OpenedDatabase } from '../src/platform/database/open.ts'

/** The database on behalf of the operating system's user who runs the command: every event of the audit trail names them. */
export function onBehalfOfOperator(database: OpenedDatabase): OpenedDatabase {
  const operator = operatorName()
  const named = (rows: Rows): Rows => ({ operator, query: (statement, values) => rows.query(statement, values) })
  return { ...database, operator, transaction: (work) => database.transaction((rows) => work(named(rows))) }
}

/** A container may run as a user id that has no name. */
function operatorName(): string {
  try {
    return userInfo().username.slice(0, 100)
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
