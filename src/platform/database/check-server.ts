import { DatabaseError } from 'pg'
import { StartError } from '../start-error.ts'
import { defaultSchema, type Link } from './link.ts'
import { readServerFacts, type ServerFacts, withClient } from './server-facts.ts'

const serverVersionMin = 140_000

/** Throws `StartError` if the version or encoding of the server is not supported. */
export function checkServer({ version, versionText, encoding, database }: ServerFacts): void {
  if (version < serverVersionMin)
    throw new StartError(
      `The server of DATABASE_URL is PostgreSQL ${versionText}: Muster requires PostgreSQL 14 or newer.`,
    )
  // SQL_ASCII does not validate text, and LATIN1 cannot store every name.
  if (encoding !== 'UTF8')
    throw new StartError(
      `The database ${database} has the encoding ${encoding}: create one with UTF8 (create database … template template0 encoding 'UTF8'), and set DATABASE_URL to it.`,
    )
}

/** For the log and `doctor`, if a pooler works with Muster. */
export const poolerAdvice =
  'a pooler is between this node and PostgreSQL. It works, but it only helps if connections are scarce: Muster has its own pools. See docs/scaling.md'

/** Returns why Muster cannot work with the pooler, and which settings fix it. Returns undefined if it works. */
export async function poolerFault(
  link: Link,
  { connectionSettings, preparedStatements }: { connectionSettings: object; preparedStatements: boolean },
): Promise<string | undefined> {
  try {
    return await withClient(link, connectionSettings, async (client) => {
      const { schema } = await readServerFacts(client)
      if (schema !== (link.schema ?? defaultSchema)) return searchPathAdvice(link.schema ?? defaultSchema)
      if (!preparedStatements) return undefined
      // In transaction mode, the second connection may get the first one's backend, where the statement name already exists.
      await client.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      await withClient(link, connectionSettings, async (other) => {
        await other.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      })
      await client.query({ name: 'pooler-check', text: 'select $1::int', values: [1] })
      return undefined
    })
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined
    // 42P05: duplicate prepared statement. 26000: unknown prepared statement.
    if (code === '42P05' || code === '26000') return preparedAdvice
    if (code?.startsWith('08')) return parameterAdvice
    throw error
  }
}

/** For a pooler that rejects startup parameters. */
export const parameterAdvice =
  'The pooler of DATABASE_URL rejects the startup parameters of Muster’s connections (08P01): set ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options in PgBouncer, and set these three timeouts and the search_path for the role (alter role … set …). Or set DATABASE_URL to PostgreSQL itself.'
const searchPathAdvice = (schema: string) =>
  `The pooler of DATABASE_URL does not pass on the search_path of Muster’s connections: run alter role … set search_path = ${schema} for the role of Muster, or set DATABASE_URL to PostgreSQL itself.`
const preparedAdvice =
  'The pooler of DATABASE_URL works in transaction mode and loses prepared statements (42P05): set MUSTER_PREPARED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 and later, or set DATABASE_URL to PostgreSQL itself.'
