import type { Database, Rows, Statement } from '../database/database.ts'
import type { Tracing } from './tracing.ts'

/** Wraps a database to create a span for each statement and transaction. Spans have the statement's name, but never its values. */
export function tracedDatabase(database: Database, tracing: Tracing): Database {
  return {
    ...database,
    ...tracedRows(database, tracing),
    transaction: (work) =>
      tracing.around('transaction', system, () => database.transaction((rows) => work(tracedRows(rows, tracing)))),
  }
}

const system = { 'db.system.name': 'postgresql' }

function tracedRows(rows: Rows, tracing: Tracing): Rows {
  return {
    ...rows,
    query: <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      tracing.around(statement.name, { ...system, 'db.query.summary': statement.name }, () =>
        rows.query<Row>(statement, values),
      ),
  }
}
