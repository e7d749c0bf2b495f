import type { Database, Rows, Statement } from '../database/database.ts'
import type { Tracing } from './tracing.ts'

/** The same database with a span for each statement and transaction of a request, by the name of the statement. Values are in no span. */
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
