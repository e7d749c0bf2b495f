import { type Client, DatabaseError } from 'pg'
import { StartError } from '../../start-error.ts'
import type { Database } from '../database.ts'
import { asProblem } from '../faults.ts'

/** Runs `work` on a connection of its own. A transaction that is still open at the end is rolled back. */
export async function inConnection<T>(database: Database, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let isLost = false
  // `pg` reports a lost link by this event, and then as a plain `Error` of the statement that runs, or of the next one.
  client.once('error', () => {
    isLost = true
  })
  try {
    return await work(client)
  } catch (error) {
    throw isLost || error instanceof DatabaseError ? explained(error) : error
  } finally {
    await client.end()
  }
}

/** 55P03: a lock was not free in time. Class 23: a constraint, here of rows that are loaded. The detail of the error quotes the row. */
function explained(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return asProblem(error)
  const { code = '', message } = error
  if (code.startsWith('23'))
    return new StartError(`The database refused the rows of the backup (${code}: ${message}): nothing was restored.`)
  if (code !== '55P03') return asProblem(error)
  return new StartError('Another process has locked tables of this database: stop the service, and try again.', {
    cause: error,
  })
}
