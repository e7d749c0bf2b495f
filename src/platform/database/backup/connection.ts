import { type Client, DatabaseError } from 'pg'
import { StartError } from '../../start-error.ts'
import type { Database } from '../database.ts'
import { asProblem } from '../faults.ts'

/** Runs `work` on a separate connection and closes it, which rolls back an open transaction. */
export async function onConnection<T>(database: Database, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await database.connect()
  let isLost = false
  // `pg` reports a lost connection with this event, and then with a plain `Error` of the current or next statement.
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

/** 55P03: lock timeout. Class 23: a loaded row violates a constraint. Omits the error's detail, which quotes the row. */
function explained(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return asProblem(error)
  const { code = '', message } = error
  if (code.startsWith('23'))
    return new StartError(`The database rejected a row of the backup (${code}: ${message}): nothing was restored.`)
  if (code !== '55P03') return asProblem(error)
  return new StartError('Another process has locked tables of this database: stop the service, and try again.', {
    cause: error,
  })
}
