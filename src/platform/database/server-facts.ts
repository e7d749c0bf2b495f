import { Client, type ClientConfig } from 'pg'
import { clientConfig, type Link } from './link.ts'

/** What a server says about itself and about this role, read on a connection of its own. */
export interface ServerFacts {
  /** Such as 180001. */
  readonly version: number
  /** As the server names itself, such as `18.1`. */
  readonly versionText: string
  readonly encoding: string
  /** A standby, or `default_transaction_read_only`. */
  readonly isReadOnly: boolean
  /** A pooler is between this node and the server. */
  readonly isPooled: boolean
  readonly role: string
  readonly database: string
  /** Where tables are made; undefined if no schema of the search path exists. */
  readonly schema: string | undefined
  /** Whether the role may create tables there, and schemas in the database. */
  readonly mayCreate: boolean
  readonly connections: ConnectionFacts
}

export interface ConnectionFacts {
  /** Setting `max_connections`. */
  readonly max: number
  /** For superusers and for `pg_use_reserved_connections`. */
  readonly reserved: number
  /** Connections of everyone now, without the one that asks. */
  readonly used: number
  /** Of this role, and of this database; undefined where neither has a limit. */
  readonly roleLimit: number | undefined
  readonly roleUsed: number
  readonly databaseLimit: number | undefined
  readonly databaseUsed: number
}

/** A link to one host, and what is behind it. */
export interface FoundServer {
  readonly link: Link
  readonly facts: ServerFacts
}

/**
 * The first of the hosts that accepts writes; without one, the first that answers. Rejects with the error of the last if none does.
 */
export async function findServer(links: readonly Link[], connectTimeoutMs: number): Promise<FoundServer> {
  let readOnly: FoundServer | undefined
  let failure: unknown
  for (const link of links) {
    try {
      const facts = await withClient(link, { connectionTimeoutMillis: connectTimeoutMs }, readServerFacts)
      if (!facts.isReadOnly) return { link, facts }
      readOnly ??= { link, facts }
    } catch (error) {
      failure = error
    }
  }
  if (readOnly) return readOnly
  throw failure
}

/** Runs `work` on a connection of its own and ends it. */
export async function withClient<T>(
  link: Link,
  settings: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ application_name: 'muster', query_timeout: 4_000, ...settings, ...clientConfig(link) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    // Not awaited: on a lost link the server never confirms the end.
    client.end().catch(() => undefined)
  }
}

export async function readServerFacts(client: Client): Promise<ServerFacts> {
  const { rows } = await client.query<FactsRow>(factsText)
  const [row] = rows
  if (!row) throw new Error('The server answered no row.')
  const { pid, max, reserved, used, roleLimit, roleUsed, databaseLimit, databaseUsed, schema, ...facts } = row
  return {
    ...facts,
    schema: schema ?? undefined,
    // A pooler makes up the process id that it sends with its key for cancelling. The types of `pg` lack that id.
    isPooled: 'processID' in client && client.processID !== pid,
    connections: {
      max,
      reserved,
      used,
      roleLimit: roleLimit < 0 ? undefined : roleLimit,
      roleUsed,
      databaseLimit: databaseLimit < 0 ? undefined : databaseLimit,
      databaseUsed,
    },
  }
}

interface FactsRow extends Omit<ServerFacts, 'isPooled' | 'connections' | 'schema'> {
  readonly pid: number
  readonly schema: string | null
  readonly max: number
  readonly reserved: number
  readonly used: number
  /** -1 without a limit, as the two below. */
  readonly roleLimit: number
  readonly roleUsed: number
  readonly databaseLimit: number
  readonly databaseUsed: number
}

/** `reserved_connections` exists from PostgreSQL 16 on. Other roles' rows of `pg_stat_activity` are visible, their content is not. */
const factsText = `
select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
       current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as "isReadOnly",
       pg_backend_pid() as pid, current_user as role, current_database() as database, current_schema() as schema,
       coalesce(has_schema_privilege(current_schema(), 'create'), false)
         and has_database_privilege(current_database(), 'create') as "mayCreate",
       current_setting('max_connections')::int as max,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
       (select count(*) - 1 from pg_stat_activity where usesysid is not null and datid is not null)::int as used,
       r.rolconnlimit as "roleLimit",
       (select count(*) - 1 from pg_stat_activity where usesysid = r.oid)::int as "roleUsed",
       d.datconnlimit as "databaseLimit",
       (select count(*) - 1 from pg_stat_activity where datid = d.oid)::int as "databaseUsed"
from pg_roles r, pg_database d
where r.rolname = current_user and d.datname = current_database()`
