import { Client, DatabaseError } from 'pg'

import type { Secret } from '../secret.ts'
import { asProblem } from './faults.ts'
import { clientConfig, type Link } from './link.ts'
import type { Endpoint } from './postmaster.ts'

/** Names of the session locks, in the database `postgres`. */
const ownerLock = 0x4d75_7374_01
const useLock = 0x4d75_7374_02

const connectTimeoutMs = 5_000

/**
 * The one connection by which a process holds its place on an embedded server. Everybody who uses the server holds the use lock
 * together; the service holds the owner lock alone. A lock ends with its connection, so a killed process leaves none behind.
 */
export interface Keeper {
  /** False while the last user is stopping the server: then it must be started again. */
  holdUse(): Promise<boolean>
  /** True when this process became the owner; otherwise the number of the process that is. */
  holdOwner(): Promise<true | number | undefined>
  /** Gives both locks back. True when nobody else uses the server; then nobody can begin to until this connection ends. */
  letGo(): Promise<boolean>
  /** Makes the role and the database of the service, where they are missing. */
  provision(link: Link & { user: string; password: Secret }): Promise<void>
  onLost(tell: () => void): void
  end(): Promise<void>
}

/**
 * Connects as the superuser. `passing` when the server says that it cannot serve yet or any more, `silent` when it says nothing;
 * throws what waiting does not change.
 */
export async function connectKeeper(link: Link, purpose: 'owner' | 'guest'): Promise<Keeper | 'passing' | 'silent'> {
  const application_name = `muster ${purpose} ${process.pid}`
  const client = new Client({ ...clientConfig(link), application_name, connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return keeperOn(client)
  } catch (error) {
    await client.end().catch(() => undefined)
    if (!(error instanceof DatabaseError)) return 'silent'
    if (isPassing(error.code)) return 'passing'
    throw error
  }
}

export function superuserLink(endpoint: Endpoint, password: Secret): Link {
  return { ...endpoint, user: 'postgres', database: 'postgres', password }
}

function keeperOn(client: Client): Keeper {
  const ask = async (text: string, values: readonly unknown[] = []): Promise<boolean> => {
    const { rows } = await client.query<{ yes: boolean }>(text, [...values])
    return rows[0]?.yes === true
  }
  return {
    holdUse: () => ask('select pg_try_advisory_lock_shared($1) as yes', [useLock]),
    async holdOwner() {
      if (await ask('select pg_try_advisory_lock($1) as yes', [ownerLock])) return true
      return ownerPid(client)
    },
    async letGo() {
      await client.query('select pg_advisory_unlock_all()')
      return ask('select pg_try_advisory_lock($1) as yes', [useLock])
    },
    provision: (link) => provision(client, link),
    onLost: (tell) => void client.once('end', tell),
    end: () => client.end().catch(() => undefined),
  }
}

/** The owner tells its number in the name of its connection; the server knows only numbers of its own processes. */
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

/** The service is no superuser: a fault in it reaches its own database, not the files of the server. */
async function provision(client: Client, { user, password }: { user: string; password: Secret }): Promise<void> {
  const name = client.escapeIdentifier(user)
  const has = await client.query('select 1 from pg_roles where rolname = $1', [user])
  if (has.rowCount === 0) {
    await client.query(`create role ${name} login password ${client.escapeLiteral(password.open())}`).catch(unlessMade)
  }
  const made = await client.query('select 1 from pg_database where datname = $1', [user])
  if (made.rowCount === 0) await client.query(`create database ${name} owner ${name}`).catch(unlessMade)
}

/** Two processes may start at once: 42710 and 42P04 say that it exists, 23505 that the other was in the middle of it. */
function unlessMade(error: unknown): void {
  if (error instanceof DatabaseError && ['42710', '42P04', '23505'].includes(error.code ?? '')) return
  throw asProblem(error)
}

/** 57P03: starting, recovering or stopping. 57P01: stopped meanwhile. 53300: all connections taken. */
function isPassing(code: string | undefined): boolean {
  return code === '57P03' || code === '57P01' || code === '53300'
}
