import { Client, DatabaseError } from 'pg'

/** Keys of the advisory locks, in the database `postgres`. */
const ownerLock = 0x4d75_7374_01
const userLock = 0x4d75_7374_02

const connectTimeoutMs = 5_000

/**
 * A process's lease on an embedded server: session-level advisory locks on one connection. Every process that uses the server shares the
 * user lock; only the service has the owner lock. The server releases both when the connection ends, so a killed process leaves no lock.
 */
export interface ServerLease {
  /** Acquires the user lock. False while the last user stops the server, which must then be started again. */
  acquire(): Promise<boolean>
  /** Acquires the owner lock: true, or the process id of its holder. */
  acquireOwner(): Promise<true | number | undefined>
  /** Releases both locks. True if no other process uses the server; then none can start to until this connection ends. */
  release(): Promise<boolean>
  /** Creates the role and its database if they are missing. */
  provision(name: string, password: string): Promise<void>
  onLost(handler: () => void): void
  end(): Promise<void>
}

/**
 * Connects as the superuser. Returns `not_ready` while the server starts, recovers or stops, and `no_answer` if it does not answer. Throws
 * errors that waiting does not fix.
 */
export async function openLease(
  superuserUrl: string,
  purpose: 'owner' | 'guest',
): Promise<ServerLease | 'not_ready' | 'no_answer'> {
  const client = new Client({
    connectionString: superuserUrl,
    application_name: `muster ${purpose} ${process.pid}`,
    // Replaces PGOPTIONS.
    options: '-c search_path=pg_catalog',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return leaseOn(client)
  } catch (error) {
    await client.end().catch(() => undefined)
    if (!(error instanceof DatabaseError)) return 'no_answer'
    if (isTransient(error.code)) return 'not_ready'
    throw error
  }
}

function leaseOn(client: Client): ServerLease {
  const tryLock = async (text: string, key: number): Promise<boolean> => {
    const { rows } = await client.query<{ locked: boolean }>(text, [key])
    return rows[0]?.locked === true
  }
  return {
    acquire: () => tryLock('select pg_try_advisory_lock_shared($1) as locked', userLock),
    async acquireOwner() {
      if (await tryLock('select pg_try_advisory_lock($1) as locked', ownerLock)) return true
      return ownerPid(client)
    },
    async release() {
      await client.query('select pg_advisory_unlock_all()')
      return tryLock('select pg_try_advisory_lock($1) as locked', userLock)
    },
    provision: (name, password) => provision(client, name, password),
    onLost: (handler) => void client.once('end', handler),
    end: () => client.end().catch(() => undefined),
  }
}

/** The owner puts its process id into the name of its connection, because the server knows only backend process ids. */
async function ownerPid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32 | l.objid::bigint) = $1`,
    [ownerLock],
  )
  const pid = Number(rows[0]?.name.split(' ').at(-1))
  return Number.isInteger(pid) ? pid : undefined
}

/** The service is not a superuser, so a bug in it can damage only its own database, not the server's files. */
async function provision(client: Client, name: string, password: string): Promise<void> {
  const quoted = client.escapeIdentifier(name)
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (role.rowCount === 0)
    await client.query(`create role ${quoted} login password ${client.escapeLiteral(password)}`).catch(ignoreExists)
  const database = await client.query('select 1 from pg_database where datname = $1', [name])
  if (database.rowCount === 0) await client.query(`create database ${quoted} owner ${quoted}`).catch(ignoreExists)
}

/** Two processes may start at once: 42710 and 42P04 mean that it exists, 23505 that the other is creating it. */
function ignoreExists(error: unknown): void {
  if (error instanceof DatabaseError && ['42710', '42P04', '23505'].includes(error.code ?? '')) return
  throw error
}

/** 57P03: starting, recovering or stopping. 57P01: stopped meanwhile. 53300: too many connections. */
function isTransient(code: string | undefined): boolean {
  return code === '57P03' || code === '57P01' || code === '53300'
}
