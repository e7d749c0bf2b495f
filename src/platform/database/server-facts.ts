import { Client, type ClientConfig, DatabaseError } from 'pg'
import { StartError } from '../start-error.ts'
import { clientConfig, defaultSchema, type Link } from './link.ts'

/** Facts about a server and this role. */
export interface ServerFacts {
  /** Such as 180001. */
  readonly version: number
  /** Such as `18.1`. */
  readonly versionText: string
  readonly encoding: string
  /** True for a standby, and with `default_transaction_read_only`. */
  readonly isReadOnly: boolean
  readonly isStandby: boolean
  /** True if a pooler is between this node and the server. */
  readonly isPooled: boolean
  readonly role: string
  readonly database: string
  /** First schema of the search path, which may not exist yet. */
  readonly schema: string
  /** Whether the role may create tables in the schema, or the schema itself if it does not exist. */
  readonly mayCreate: boolean
  readonly connections: ConnectionFacts
}

export interface ConnectionFacts {
  /** Setting `max_connections`. */
  readonly max: number
  /** Connections reserved for superusers and `pg_use_reserved_connections`. */
  readonly reserved: number
  /** Current connections of all roles, without the one that reads this. */
  readonly used: number
  /** Limit of this role. Undefined if there is none. */
  readonly roleLimit: number | undefined
  readonly roleUsed: number
  /** Limit of this database. Undefined if there is none. */
  readonly databaseLimit: number | undefined
  readonly databaseUsed: number
}

/** A link to one host, and facts about its server. */
export interface FoundServer {
  readonly link: Link
  readonly facts: ServerFacts
  /** Of the primary, if the link has several hosts. Undefined if the server hides it. */
  readonly timeline?: Timeline | undefined
}

/**
 * PostgreSQL's timeline. A promoted standby starts a new timeline with a higher number, so an old primary that still accepts writes has a
 * lower number than the new primary.
 */
interface Timeline {
  readonly system: string
  readonly number: number
}

/** False if the timelines cannot be compared. */
export function isOlder(one: Timeline | undefined, other: Timeline | undefined): boolean {
  return one !== undefined && other !== undefined && one.system === other.system && one.number < other.number
}

/**
 * Connects to all hosts and returns the best: the writable host with the newest timeline, else a read-only primary, else the first that
 * answers. Rejects with the last host's error if none answers.
 */
export async function findServer(links: readonly Link[], connectTimeoutMs: number): Promise<FoundServer> {
  const settings = { connectionTimeoutMillis: connectTimeoutMs }
  const isOneOfSeveral = links.length > 1
  const results = await Promise.allSettled(
    links.map((link) =>
      withClient(link, settings, async (client): Promise<FoundServer> => {
        const facts = await readServerFacts(client)
        return { link, facts, ...(isOneOfSeveral && !facts.isStandby && { timeline: await readTimeline(client) }) }
      }),
    ),
  )
  const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const writable = servers.filter(({ facts }) => !facts.isReadOnly)
  const newest = writable.find(({ timeline }) => !writable.some((other) => isOlder(timeline, other.timeline)))
  const server = newest ?? servers.find(({ facts }) => !facts.isStandby) ?? servers[0]
  if (server) return server
  throw results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])).at(-1)
}

/** Opens a connection, runs `work` and closes the connection. */
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
    // Not awaited: on a lost connection the server never confirms the end.
    client.end().catch(() => undefined)
  }
}

export async function readServerFacts(client: Client): Promise<ServerFacts> {
  const { rows } = await client.query<FactsRow>(factsText)
  const [row] = rows
  if (!row) throw new Error('The server returned no row.')
  const { pid, max, reserved, used, roleLimit, roleUsed, databaseLimit, databaseUsed, ...facts } = row
  return {
    ...facts,
    // A pooler sends a made-up process ID with its cancel key. The types of `pg` lack `processID`.
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

/** Undefined if the role may not read the WAL position, as at some hosting services. */
async function readTimeline(client: Client): Promise<Timeline | undefined> {
  try {
    return (await client.query<Timeline>(timelineText)).rows[0]
  } catch (error) {
    if (error instanceof DatabaseError) return undefined
    throw error
  }
}

/** The name of a WAL segment starts with the timeline, as eight hexadecimal digits. */
const timelineText = `
select system_identifier::text as system, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as number
from pg_control_system()`

interface FactsRow extends Omit<ServerFacts, 'isPooled' | 'connections'> {
  readonly pid: number
  readonly max: number
  readonly reserved: number
  readonly used: number
  /** -1 means no limit, also for `databaseLimit`. */
  readonly roleLimit: number
  readonly roleUsed: number
  readonly databaseLimit: number
  readonly databaseUsed: number
}

/** `reserved_connections` exists since PostgreSQL 16. Any role can count the rows of other roles in `pg_stat_activity`. */
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
       r.rolconnlimit as "roleLimit", d.datconnlimit as "databaseLimit", a.*
from pg_roles r, pg_database d,
     lateral (
       select (count(*) filter (where usesysid is not null and datid is not null) - 1)::int as used,
              (count(*) filter (where usesysid = r.oid) - 1)::int as "roleUsed",
              (count(*) filter (where datid = d.oid) - 1)::int as "databaseUsed"
       from pg_stat_activity
     ) a,
     (select replace(btrim(split_part(current_setting('search_path'), ',', 1), '" '), '$user', current_user)) s (name)
where r.rolname = current_user and d.datname = current_database()`

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
