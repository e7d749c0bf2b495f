import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { LimitLog } from '../limit-log.ts'
import { asConnectProblem, breaksConnection, databaseProblem, isDatabaseProblem } from './faults.ts'
import { clientConfig, type Link } from './link.ts'
import type { StateMachine } from './state.ts'

export interface ConnectionPool {
  /** Problem: `database_unavailable`. */
  checkOut(): Promise<PoolClient>
  /** Runs `work` on a connection, which is closed afterwards if it cannot be used again. */
  borrow<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  counts(): PoolCounts
  /** Closes idle connections now, and connections in use when they are released. */
  end(): Promise<void>
}

export interface PoolCounts {
  readonly open: number
  readonly idle: number
  /** Requests waiting for a connection. */
  readonly waiting: number
  readonly max: number
  /** Requests rejected since the start because every connection was in use. */
  readonly refused: number
}

interface ConnectionPoolOptions {
  readonly name: string
  readonly link: Link
  readonly settings: PoolConfig & { readonly max: number }
  readonly waitingMax: number
  readonly state: StateMachine
  readonly limitLog: LimitLog
  /** Another pool, whose connections this pool uses while the server rejects all of its own. */
  readonly spare?: ConnectionPool
}

/**
 * A `pg` pool that opens connections only while the database accepts them. Otherwise requests wait for an open connection instead of
 * failing. A pool without open connections uses those of `spare`.
 */
export function connectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const { link, settings, state } = options
  const pool = new Pool({ application_name: 'muster', keepAlive: true, ...settings, ...clientConfig(link) })
  const connected = new Set<PoolClient>()
  // Without a listener, losing an idle connection would end the process. The pool has already removed the connection.
  pool.on('error', state.failed)
  pool.on('connect', (client) => {
    connected.add(client)
    // The same for a connection in use. Its statement fails too and reports the error.
    client.on('error', () => undefined)
  })
  pool.on('remove', (client) => connected.delete(client))
  const { checkOut, refused } = createCheckOut(pool, connected, options)

  return {
    checkOut,
    async borrow(work) {
      const client = await checkOut()
      try {
        const result = await work(client)
        client.release()
        return result
      } catch (error) {
        client.release(isUnusable(client, error))
        if (isDatabaseProblem(error)) state.failed(error)
        throw error
      }
    },
    counts: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: settings.max,
      refused: refused(),
    }),
    end: () => pool.end(),
  }
}

/** `connected`: the open connections. The counts of `pg` include connections that are still being opened. */
function createCheckOut(
  pool: Pool,
  connected: ReadonlySet<PoolClient>,
  { name, settings, waitingMax, state, limitLog, spare }: ConnectionPoolOptions,
) {
  let refused = 0

  function refuseExhausted(cause?: unknown): never {
    refused += 1
    limitLog.reached(`connections of the pool ${name}`, settings.max)
    throw databaseProblem('database_unavailable', cause)
  }

  async function checkOutSpare(cause: unknown): Promise<PoolClient> {
    if (spare && state.current().state === 'saturated') return spare.checkOut()
    throw asConnectProblem(cause)
  }

  /** The server accepts no more connections, so wait for an open one. */
  async function waitForOpen(): Promise<PoolClient> {
    pool.options.max = connected.size
    try {
      return await pool.connect()
    } catch (error) {
      return refuseExhausted(error)
    }
  }

  async function checkOut(): Promise<PoolClient> {
    if (pool.waitingCount >= waitingMax) return refuseExhausted()
    if (state.mayConnect()) pool.options.max = settings.max
    else if (connected.size === 0) return checkOutSpare(state.current().cause)
    else pool.options.max = connected.size
    try {
      return await pool.connect()
    } catch (error) {
      // A timeout in the queue of `pg` has no code. If every connection is in use, it says nothing about the database.
      if (!(error instanceof DatabaseError) && connected.size >= pool.options.max) return refuseExhausted(error)
      state.connectFailed(error)
      if (!isSaturated(error)) throw asConnectProblem(error)
      return connected.size === 0 ? checkOutSpare(error) : waitForOpen()
    }
  }

  return { checkOut, refused: () => refused }
}

/** 53300: too many connections, for the server, the role or the database. */
function isSaturated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '53300'
}

/** True after a connection error, or while a transaction is still open. */
function isUnusable(client: PoolClient, error: unknown): boolean {
  return client.getTransactionStatus() !== 'I' || breaksConnection(error)
}
