import { Client, type ClientConfig, DatabaseError } from 'pg'
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
  readonly isStandby: boolean
  /** A pooler is between this node and the server. */
  readonly isPooled: boolean
  readonly role: string
  readonly database: string
  /** The schema of Muster's tables, by the search path of the connection. It may not exist yet. */
  readonly schema: string
  /** Whether the role may create tables there, or the schema if it does not exist. */
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
  /** Of a primary that is one of several hosts; undefined where the server does not say. */
  readonly timeline?: Timeline | undefined
}

/**
 * The line of history that a primary writes. A standby that is promoted begins a new one with a higher number, so an old primary that
 * still accepts writes, or does so again, has a lower number than the one that took its place.
 */
export interface Timeline {
  readonly system: string
  readonly number: number
}

/** False where the two cannot be compared. */
export function isOlder(one: Timeline | undefined, other: Timeline | undefined): boolean {
  return one !== undefined && other !== undefined && one.system === other.system && one.number < other.number
}

/**
 * Of the hosts that accept writes the one with the newest timeline, or the first of several; without one a primary that is read-only, or
 * the first that answers. Rejects with the error of the last if none does.
 */
export async function findServer(links: readonly Link[], connectTimeoutMs: number): Promise<FoundServer> {
  const settings = { connectionTimeoutMillis: connectTimeoutMs }
  const isOneOfSeveral = links.length > 1
  const asked = await Promise.allSettled(
    links.map((link) =>
      withClient(link, settings, async (client): Promise<FoundServer> => {
        const facts = await readServerFacts(client)
        return { link, facts, ...(isOneOfSeveral && !facts.isStandby && { timeline: await readTimeline(client) }) }
      }),
    ),
  )
  const found = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const writable = found.filter(({ facts }) => !facts.isReadOnly)
  const newest = writable.find(({ timeline }) => !writable.some((other) => isOlder(timeline, other.timeline)))
  const server = newest ?? found.find(({ facts }) => !facts.isStandby) ?? found[0]
  if (server) return server
  throw asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])).at(-1)
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
  const { pid, max, reserved, used, roleLimit, roleUsed, databaseLimit, databaseUsed, ...facts } = row
  return {
    ...facts,
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

/** Undefined where the service hides its log from its users, as some hosted ones do. */
async function readTimeline(client: Client): Promise<Timeline | undefined> {
  try {
    return (await client.query<Timeline>(timelineText)).rows[0]
  } catch (error) {
    if (error instanceof DatabaseError) return undefined
    throw error
  }
}

/** The name of a segment of the log begins with the timeline, in eight hexadecimal digits. */
const timelineText = `
select system_identifier::text as system, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as number
from pg_control_system()`

interface FactsRow extends Omit<ServerFacts, 'isPooled' | 'connections'> {
  readonly pid: number
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
       pg_is_in_recovery() as "isStandby",
       pg_backend_pid() as pid, current_user as role, current_database() as database, s.name as schema,
       case when to_regnamespace(s.name) is null then has_database_privilege(current_database(), 'create')
            else has_schema_privilege(s.name, 'create') end as "mayCreate",
       current_setting('max_connections')::int as max,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
       (select count(*) - 1 from pg_stat_activity where usesysid is not null and datid is not null)::int as used,
       r.rolconnlimit as "roleLimit",
       (select count(*) - 1 from pg_stat_activity where usesysid = r.oid)::int as "roleUsed",
       d.datconnlimit as "databaseLimit",
       (select count(*) - 1 from pg_stat_activity where datid = d.oid)::int as "databaseUsed"
from pg_roles r, pg_database d,
     (select replace(btrim(split_part(current_setting('search_path'), ',', 1), '" '), '$user', current_user)) s (name)
where r.rolname = current_user and d.datname = current_database()`
