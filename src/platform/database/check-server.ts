import { DatabaseError } from 'pg'
import { StartError } from '../start-error.ts'
import { defaultSchema, type Link } from './link.ts'
import { readServerFacts, type ServerFacts, withClient } from './server-facts.ts'

const serverVersionMin = 140_000

/** Refuses a server on which Muster cannot work. Throws `StartError`, which says what to change. */
export function checkServer({ version, versionText, encoding, database }: ServerFacts): void {
  if (version < serverVersionMin)
    throw new StartError(
      `The server of DATABASE_URL is PostgreSQL ${versionText}: Muster needs PostgreSQL 14 or newer, so upgrade it or use another.`,
    )
  // SQL_ASCII takes bytes of any encoding unchecked, and LATIN1 cannot hold every name.
  if (encoding !== 'UTF8')
    throw new StartError(
      `The database ${database} has the encoding ${encoding}: create one with UTF8 (create database … template template0 encoding 'UTF8'), and set DATABASE_URL to it.`,
    )
}

/** For the log and for `doctor`, where a pooler does all that Muster needs. */
export const poolerAdvice =
  'a pooler is between this node and PostgreSQL: it works, and has no advantage over Muster’s own pools unless connections are scarce. See docs/scaling.md'

/** What a pooler in front of the server refuses to do that Muster needs, and the settings that make it possible. */
export async function poolerFault(
  link: Link,
  { connectionSettings, preparedStatements }: { connectionSettings: object; preparedStatements: boolean },
): Promise<string | undefined> {
  try {
    return await withClient(link, connectionSettings, async (client) => {
      const { schema } = await readServerFacts(client)
      if (schema !== (link.schema ?? defaultSchema)) return searchPathAdvice(link.schema ?? defaultSchema)
      if (!preparedStatements) return undefined
      // The second connection may get the first one's backend, where a pooler in transaction mode would find the name taken.
      await client.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      await withClient(link, connectionSettings, async (other) => {
        await other.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      })
      await client.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      return undefined
    })
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined
    // 42P05: a prepared statement of that name exists; 26000: it does not.
    if (code === '42P05' || code === '26000') return preparedAdvice
    if (code?.startsWith('08')) return parameterAdvice
    throw error
  }
}

/** Of a pooler that refuses the parameters of a connection. */
export const parameterAdvice =
  'The pooler of DATABASE_URL refuses the parameters of Muster’s connections (08P01): set in PgBouncer ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options and set these three and the search_path for the role (alter role … set …), or give Muster the address of PostgreSQL itself.'
const searchPathAdvice = (schema: string) =>
  `The pooler of DATABASE_URL does not pass on the search_path of Muster’s connections: run alter role … set search_path = ${schema} for the role of Muster, or give Muster the address of PostgreSQL itself.`
const preparedAdvice =
  'The pooler of DATABASE_URL works in transaction mode and loses prepared statements (42P05): set MUSTER_PREPARED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 and later, or give Muster the address of PostgreSQL itself.'
