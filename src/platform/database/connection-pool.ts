import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { LimitLog } from '../limit-log.ts'
import { asConnectProblem, breaksConnection, isOfDatabase, problemOf } from './faults.ts'
import { clientConfig, type Link } from './link.ts'
import type { StateMachine } from './state.ts'

export interface ConnectionPool {
  /** Problem: `database_unavailable`. */
  checkOut(): Promise<PoolClient>
  /** Runs `work` on a connection, which is closed afterwards if it cannot be used again. */
  borrow<T>(work: (client: PoolClient) => Promise<T>): Promise<T>
  counts(): PoolCounts
  /** Closes the idle connections now, and those in use when they are given back. */
  end(): Promise<void>
}

export interface PoolCounts {
  readonly open: number
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
  readonly max: number
  /** Requests refused since the start because every connection was in use. */
  readonly refused: number
}

export interface ConnectionPoolOptions {
  readonly name: string
  readonly link: Link
  readonly settings: PoolConfig & { readonly max: number }
  readonly waitingMax: number
  readonly state: StateMachine
  readonly limitLog: LimitLog
  /** Gives its connections while the server gives this pool none at all. */
  readonly spare?: ConnectionPool
}

/**
 * A pool of `pg` that opens connections only while the database accepts them. When it accepts no more, the pool goes on with the
 * connections that it has: requests wait for one of them and do not fail. A pool without any uses those of its spare.
 */
export function connectionPool(options: ConnectionPoolOptions): ConnectionPool {
  const { link, settings, state } = options
  const pool = new Pool({ application_name: 'muster', keepAlive: true, ...settings, ...clientConfig(link) })
  const connected = new Set<PoolClient>()
  // Without a listener the loss of an idle connection would end the process. The pool has already removed it.
  pool.on('error', state.failed)
  pool.on('connect', (client) => {
    connected.add(client)
    // The same for a connection in use. Its loss fails its statement too, where it is reported.
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
        client.release(isSpent(client, error))
        if (isOfDatabase(error)) state.failed(error)
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

/** `connected` are the connections of the pool that are open; `pg` counts those that it is opening as well. */
function createCheckOut(
  pool: Pool,
  connected: ReadonlySet<PoolClient>,
  { name, settings, waitingMax, state, limitLog, spare }: ConnectionPoolOptions,
) {
  let refused = 0

  function refuseExhausted(cause?: unknown): never {
    refused += 1
    limitLog.reached(`connections of the pool ${name}`, settings.max)
    throw problemOf('database_unavailable', cause)
  }

  async function takeSpare(cause: unknown): Promise<PoolClient> {
    if (spare && state.current().state === 'saturated') return spare.checkOut()
    throw asConnectProblem(cause)
  }

  /** The server gives no further connection: those of this pool must be enough. */
  async function waitForOwn(): Promise<PoolClient> {
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
    else if (connected.size === 0) return takeSpare(state.current().cause)
    else pool.options.max = connected.size
    try {
      return await pool.connect()
    } catch (error) {
      // `pg` gives a wait that took too long no code. With every connection open and in use it says nothing about the database.
      if (!(error instanceof DatabaseError) && connected.size >= pool.options.max) return refuseExhausted(error)
      state.connectFailed(error)
      if (!isSaturated(error)) throw asConnectProblem(error)
      return connected.size === 0 ? takeSpare(error) : waitForOwn()
    }
  }

  return { checkOut, refused: () => refused }
}

/** 53300: too many connections, for the server, the role or the database. */
function isSaturated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '53300'
}

/** After an error of the caller the connection is healthy; after one of the link, or with an open transaction, it is not. */
function isSpent(client: PoolClient, error: unknown): boolean {
  return client.getTransactionStatus() !== 'I' || breaksConnection(error)
}
