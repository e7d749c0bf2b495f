import { setTimeout } from 'node:timers/promises'

import { Client, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'

import { createLimitLog } from '../limit-log.ts'
import {
  type ConnectionPool,
  connectionPool,
  createStateMachine,
  type ProbeResult,
  type ProbeTimings,
  type StateMachine,
} from './connection-pool.ts'
import type { Database, Rows, Statement, StreamOptions } from './database.ts'
import { asConnectProblem, asProblem, type DatabaseState } from './faults.ts'
import type { DatabaseLimits } from './limits.ts'
import { clientConfig, isSameLink, type Link, singleHostLinks } from './link.ts'
import { type FoundServer, findServer, isOlder, withClient } from './server-facts.ts'
import { streamTexts } from './stream.ts'

interface PooledOptions {
  readonly link: Link
  readonly limits: DatabaseLimits
  /** False behind a pooler in transaction mode, which may run each statement on another connection. */
  readonly preparedStatements: boolean
  readonly log: Logger
  /** The host to start with, if the link has several. */
  readonly first?: Pick<FoundServer, 'link' | 'timeline'>
  readonly timings?: ProbeTimings
}

/** Creates the database of a link. Connects at the first query. `close` does not stop the server. */
export function pooledDatabase(options: PooledOptions): Database {
  const { limits, preparedStatements } = options
  const hosts = createHosts(options)
  const { state } = hosts
  const check = statementCheck()
  const rowsOf = (client: PoolClient) => rowsOn(client, { preparedStatements, check })
  const side: Rows = {
    query: (statement, values) => hosts.pools().side.borrow((client) => rowsOf(client).query(statement, values)),
  }

  return {
    side,
    query: (statement, values) => hosts.pools().main.borrow((client) => rowsOf(client).query(statement, values)),
    transaction: (work) => hosts.pools().main.borrow((client) => inTransaction(client, rowsOf(client), work)),
    stream(statement: Statement, values: readonly unknown[], options: StreamOptions = {}) {
      async function connect() {
        check(statement, values)
        return hosts.pools().streams.checkOut()
      }
      return streamTexts({ connect, rowsOf, side, limits, onFailed: state.failed }, statement, values, options)
    },
    ping: () => hosts.pools().side.borrow((client) => readTime(rowsOf(client))),
    connect: () => openConnection(hosts.link(), limits, state),
    health() {
      const { main, side, streams } = hosts.pools()
      return {
        ...state.current(),
        failures: state.failures(),
        pools: { main: main.counts(), side: side.counts(), streams: streams.counts() },
      }
    },
    async openPools() {
      const { main, side, streams } = hosts.pools()
      // The main pool first, because the others can use its connections.
      for (const pool of [main, side, streams]) await pool.borrow(async () => undefined).catch(() => undefined)
    },
    close: hosts.close,
  }
}

interface Pools {
  readonly main: ConnectionPool
  readonly side: ConnectionPool
  readonly streams: ConnectionPool
}

/** The pools of the current host. When the probe finds that another host accepts writes, replaces the pools. */
function createHosts({ link: allHosts, first, limits, log, timings }: PooledOptions) {
  const links = singleHostLinks(allHosts)
  const limitLog = createLimitLog(log)
  let link = first?.link ?? links[0] ?? allHosts
  let newest = first?.timeline
  const state = createStateMachine({ probe, log, ...(timings && { timings }) })
  const open = () => openPools(link, limits, { state, limitLog })
  let pools = open()
  let isClosed = false

  async function probe(suspected: DatabaseState): Promise<ProbeResult> {
    const found = await findServer(links, limits.connectTimeoutMs)
    // Never read from a standby or from the old primary of a failover: they may lack committed changes.
    if (links.length > 1 && (found.facts.isStandby || isOlder(found.timeline, newest))) return 'no_primary'
    if (suspected === 'full') await withClient(found.link, {}, (client) => client.query(writeTest))
    if (found.facts.isReadOnly) return 'read_only'
    newest = found.timeline ?? newest
    const isOther = !isSameLink(found.link, link)
    if (isOther) log.warn('another host in DATABASE_URL now accepts writes: connecting to it')
    // Connections that were opened while the server was read-only stay read-only, or lead to the old primary.
    if (!isClosed && (isOther || suspected === 'read_only')) renewPools(found.link)
    return 'up'
  }

  function renewPools(to: Link): void {
    link = to
    const old = pools
    pools = open()
    void endPools(old, limits.closeTimeoutMs, log)
  }

  return {
    state,
    link: () => link,
    pools: () => pools,
    async close() {
      isClosed = true // a probe may be running
      const stopped = state.stop()
      await endPools(pools, limits.closeTimeoutMs, log)
      await stopped
    },
  }
}

function openPools(
  link: Link,
  limits: DatabaseLimits,
  watches: Pick<Parameters<typeof connectionPool>[0], 'state' | 'limitLog'>,
): Pools {
  const settings = mainSettings(limits)
  const poolOf = (name: string, max: number, spare?: ConnectionPool) =>
    connectionPool({
      ...watches,
      link,
      waitingMax: limits.waitingMax,
      name,
      settings: { ...settings, max },
      ...(spare && { spare }),
    })
  const main = poolOf('main', limits.connectionsMax)
  return {
    main,
    side: poolOf('side', limits.sideConnectionsMax, main),
    streams: poolOf('streams', limits.streamsMax, main),
  }
}

/** Allocates disk space and frees it. A row update would not do: it may succeed on a full disk. */
const writeTest = `begin; create unlogged table muster_write_test as
  select repeat(md5(n::text), 30) as text from generate_series(1, 128) n; rollback`

async function readTime(rows: Rows): Promise<number> {
  const [row] = await rows.query<{ nowMs: number }>(ping, [])
  if (!row) throw new Error('The database returned no time.')
  return row.nowMs
}

const ping: Statement = {
  name: 'ping',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"',
}

/** `pg` settings for every pool. Streamed lists set other timeouts in their transaction. */
export function mainSettings(limits: DatabaseLimits): PoolConfig {
  return {
    connectionTimeoutMillis: limits.connectTimeoutMs,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
    query_timeout: limits.queryTimeoutMs,
    maxLifetimeSeconds: limits.connectionLifetimeSeconds,
    idleTimeoutMillis: limits.idleTimeoutMs,
  }
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
 * Throws a `TypeError` for two mistakes in our code that would otherwise look like a lost connection: two texts with one name, for which
 * `pg` throws a plain `Error`, and a wrong number of values, which PostgreSQL reports as a connection error (08P01).
 */
function statementCheck(): StatementCheck {
  const known = new Map<string, { readonly text: string; readonly valueCount: number }>()
  return ({ name, text }, values) => {
    const first = known.get(name) ?? { text, valueCount: valueCountOf(text) }
    if (name !== '') known.set(name, first)
    if (first.text !== text && name !== '') throw new TypeError(`The statement name ${name} is used for two texts.`)
    if (first.valueCount !== values.length)
      throw new TypeError(`The statement ${name} requires ${first.valueCount} values, but got ${values.length}.`)
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
    // If the rollback fails, the transaction stays open, so the pool closes the connection (`isUnusable`).
    await command(client, 'rollback').catch(() => undefined)
    throw error
  }
  // If a statement of the transaction failed, PostgreSQL answers COMMIT with ROLLBACK instead of an error.
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

async function openConnection(link: Link, limits: DatabaseLimits, state: StateMachine): Promise<Client> {
  const settings = { application_name: 'muster', keepAlive: true, connectionTimeoutMillis: limits.connectTimeoutMs }
  const client = new Client({ ...settings, ...clientConfig(link) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    state.connectFailed(error)
    throw asConnectProblem(error)
  }
}

async function endPools({ main, side, streams }: Pools, timeoutMs: number, log: Logger): Promise<void> {
  const closed = Promise.all([main, side, streams].map((pool) => pool.end())).then(() => true)
  const finished = new AbortController()
  const timer = setTimeout(timeoutMs, false, { signal: finished.signal }).catch(() => false)
  if (!(await Promise.race([closed, timer]))) log.warn({ timeoutMs }, 'database connections were still in use')
  finished.abort()
}
