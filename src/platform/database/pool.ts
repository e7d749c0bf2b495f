import { setTimeout } from 'node:timers/promises'

import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'

import { refuse } from '../problems.ts'
import type { Database, Rows, Statement, StreamOptions } from './database.ts'
import { asConnectProblem, asProblem, breaksConnection } from './faults.ts'
import type { DatabaseLimits } from './limits.ts'
import { clientConfig, type Link } from './link.ts'
import { streamTexts } from './stream.ts'

export interface PooledOptions {
  readonly link: Link
  readonly limits: DatabaseLimits
  /** False behind a pooler in transaction mode, where a prepared statement may be on another connection. */
  readonly preparedStatements: boolean
  readonly log: Logger
}

/** The database of a link. It connects at the first query. `close` ends the connections only. */
export function pooledDatabase({ link, limits, preparedStatements, log }: PooledOptions): Database {
  const main = newPool(link, mainSettings(limits), log)
  const side = newPool(link, { ...mainSettings(limits), max: limits.sideConnectionsMax }, log)
  const streams = newPool(link, streamSettings(limits), log)
  const check = statementCheck()
  const rowsOf = (client: PoolClient) => rowsOn(client, { preparedStatements, check })

  async function borrow<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await checkOut(pool, limits.waitingMax)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(isSpent(client, error))
      throw error
    }
  }

  return {
    side,
    query: (statement, values) => borrow(main, (client) => rowsOf(client).query(statement, values)),
    transaction: (work) => borrow(main, (client) => inTransaction(client, rowsOf(client), work)),
    stream(statement: Statement, values: readonly unknown[], options: StreamOptions = {}) {
      async function connect() {
        check(statement, values)
        return checkOut(streams, limits.waitingMax)
      }
      return streamTexts({ connect, side }, statement, values, options)
    },
    ping: () => borrow(side, (client) => askTime(rowsOf(client))),
    connect: () => ownConnection(link, limits),
    connections: () => ({ open: main.totalCount, idle: main.idleCount, waiting: main.waitingCount }),
    close: () => closePools([main, side, streams], limits.closeTimeoutMs, log),
  }
}

async function askTime(rows: Rows): Promise<number> {
  const [row] = await rows.query<{ nowMs: number }>(ping, [])
  if (!row) throw new Error('the database has no time')
  return row.nowMs
}

const ping: Statement = {
  name: 'ping',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"',
}

function mainSettings(limits: DatabaseLimits): PoolConfig {
  return {
    max: limits.connectionsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    maxLifetimeSeconds: limits.connectionLifetimeSeconds,
  }
}

function streamSettings(limits: DatabaseLimits): PoolConfig {
  return {
    max: limits.streamsMax,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.streamBatchTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.streamPauseTimeoutMs,
    query_timeout: limits.streamBatchTimeoutMs + limits.queryTimeoutMs,
    maxLifetimeSeconds: limits.connectionLifetimeSeconds,
  }
}

function newPool(link: Link, settings: PoolConfig, log: Logger): Pool {
  const pool = new Pool({ application_name: 'muster', keepAlive: true, ...settings, ...clientConfig(link) })
  // Without a listener the loss of an idle connection would end the process. The pool has already removed it.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // The same for a connection in use. Its loss fails its statement too, where it is reported.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function checkOut(pool: Pool, waitingMax: number): Promise<PoolClient> {
  if (pool.waitingCount >= waitingMax) refuse('database_unavailable', { retryAfterSeconds: 1 })
  return pool.connect().catch((error: unknown) => {
    throw asConnectProblem(error)
  })
}

type StatementCheck = (statement: Statement, values: readonly unknown[]) => void

interface StatementSettings {
  readonly preparedStatements: boolean
  readonly check: StatementCheck
}

function rowsOn(client: PoolClient, { preparedStatements, check }: StatementSettings): Rows {
  return {
    async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
      check(statement, values)
      const { name, text } = statement
      try {
        const result = await client.query<Row>(
          preparedStatements ? { name, text, values: [...values] } : { text, values: [...values] },
        )
        return result.rows
      } catch (error) {
        throw asProblem(error)
      }
    },
  }
}

/**
 * Refuses two defects of our own before they reach the database, where neither is distinguishable from a lost connection: a second text under
 * one name, which `pg` refuses with a plain `Error`, and a wrong number of values, which PostgreSQL answers with the class of failed
 * connections (08P01). A `TypeError` is a defect (faults.ts).
 */
function statementCheck(): StatementCheck {
  const known = new Map<string, { readonly text: string; readonly valueCount: number }>()
  return ({ name, text }, values) => {
    const found = known.get(name) ?? { text, valueCount: valueCountOf(text) }
    if (name !== '') known.set(name, found)
    if (found.text !== text && name !== '') throw new TypeError(`The statement name ${name} is used for two texts.`)
    if (found.valueCount !== values.length)
      throw new TypeError(`The statement ${name} takes ${found.valueCount} values, and was given ${values.length}.`)
  }
}

function valueCountOf(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, index]) => Number(index)))
}

async function inTransaction<T>(client: PoolClient, rows: Rows, work: (rows: Rows) => Promise<T>): Promise<T> {
  await command(client, 'begin')
  let result: T
  try {
    result = await work(rows)
  } catch (error) {
    // If the rollback fails, the connection is still in the transaction, and `isSpent` finds it so.
    await command(client, 'rollback').catch(() => undefined)
    throw error
  }
  // PostgreSQL answers ROLLBACK, and no error, to the commit of a transaction in which a statement failed.
  if ((await command(client, 'commit')) !== 'COMMIT')
    throw new Error('A failed statement was ignored in a transaction.')
  return result
}

async function command(client: PoolClient, text: 'begin' | 'commit' | 'rollback'): Promise<string> {
  try {
    return (await client.query(text)).command
  } catch (error) {
    throw asProblem(error)
  }
}

/** After an error of the caller the connection is healthy; after one of the link, or with an open transaction, it is not. */
function isSpent(client: PoolClient, error: unknown): boolean {
  return client.getTransactionStatus() !== 'I' || breaksConnection(error)
}

async function ownConnection(link: Link, limits: DatabaseLimits): Promise<Client> {
  const settings = { application_name: 'muster', keepAlive: true, connectionTimeoutMillis: limits.connectTimeoutMs }
  const client = new Client({ ...settings, ...clientConfig(link) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    throw asConnectProblem(error)
  }
}

async function closePools(pools: readonly Pool[], timeoutMs: number, log: Logger): Promise<void> {
  const closed = Promise.all(pools.map((pool) => pool.end())).then(() => true)
  const settled = new AbortController()
  const timer = setTimeout(timeoutMs, false, { signal: settled.signal }).catch(() => false)
  if (!(await Promise.race([closed, timer]))) log.warn({ timeoutMs }, 'database connections were still in use')
  settled.abort()
}
