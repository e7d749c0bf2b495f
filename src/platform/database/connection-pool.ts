import { setTimeout } from 'node:timers/promises'
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import type { LimitLog } from '../limit-log.ts'
import {
  asConnectProblem,
  breaksConnection,
  type Condition,
  codeOf,
  type DatabaseState,
  databaseProblem,
  innermostCause,
  isDatabaseProblem,
  reasonOf,
  stateAfter,
  stateOfProbe,
} from './faults.ts'
import { clientConfig, type Link } from './link.ts'

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

/** Tracks the state of the database as this node sees it. */
export interface StateMachine {
  current(): Condition
  /** Whether requests may open connections. If not, only the probe connects. */
  mayConnect(): boolean
  /** Reports a failed statement or a lost connection. */
  failed(error: unknown): void
  /** Reports that a connection could not be opened. */
  connectFailed(error: unknown): void
  /** Failures since the start, by SQLSTATE or system error code. */
  failures(): ReadonlyMap<string, number>
  stop(): Promise<void>
}

interface StateOptions {
  /** Opens a separate connection and checks whether the database accepts writes. Rejects with the error of the connection. */
  readonly probe: (suspected: DatabaseState) => Promise<ProbeResult>
  readonly log: Logger
  readonly timings?: ProbeTimings
}

/** `no_primary`: hosts answer, but each of them may lack committed changes. */
export type ProbeResult = 'up' | 'read_only' | 'no_primary'

export interface ProbeTimings {
  readonly delayMinMs: number
  readonly delayMaxMs: number
}

/** The service uses a recovered database again within `delayMaxMs`. */
const probeTimings: ProbeTimings = { delayMinMs: 100, delayMaxMs: 1_000 }

/**
 * An SQLSTATE that identifies a state (25006 read-only, 53100 disk full, 53 other resources) changes the state immediately. Any other
 * failure, such as a lost connection, only starts a probe, because one terminated backend is not an outage. While the database is not up,
 * probes run with growing pauses, and requests open no connections.
 */
export function createStateMachine({ probe, log, timings = probeTimings }: StateOptions): StateMachine {
  const stopping = new AbortController()
  const failures = new Map<string, number>()
  const condition = createCondition(log)
  let isConfirmed = false
  let probing: Promise<void> | undefined

  async function keepProbing(): Promise<void> {
    for (let delayMs = timings.delayMinMs; !stopping.signal.aborted; ) {
      isConfirmed = false
      if (condition.current().state !== 'up') {
        await pause(delayMs, stopping.signal)
        delayMs = Math.min(delayMs * 2, timings.delayMaxMs)
      }
      if (stopping.signal.aborted) return
      const probed = await outcomeOf(probe(condition.current().state))
      if (stopping.signal.aborted) return
      // A statement failed for the same reason during the probe, so do not trust its success.
      if (probed.state === 'up' && isConfirmed) continue
      condition.moveTo(probed.state, probed.cause)
      if (probed.state === 'up') return
    }
  }

  function startProbing(): void {
    if (stopping.signal.aborted) return
    probing ??= keepProbing().finally(() => {
      probing = undefined
    })
  }

  function record(error: unknown, state: DatabaseState | 'suspected' | undefined): void {
    const cause = innermostCause(error)
    const code = codeOf(cause)
    failures.set(code, (failures.get(code) ?? 0) + 1)
    if (state === undefined) return
    if (state !== 'suspected') {
      isConfirmed = true
      condition.moveTo(state, cause)
    }
    startProbing()
  }

  return {
    current: condition.current,
    mayConnect: () => !closedStates.has(condition.current().state),
    failed: (error) => record(error, stateAfter(error)),
    connectFailed: (error) => record(error, stateAfter(error) ?? 'suspected'),
    failures: () => failures,
    async stop() {
      stopping.abort()
      await probing
    },
  }
}

/** Holds the current state. Logs each change with its cause, or with the duration of the outage. */
function createCondition(log: Logger) {
  let condition: Condition = { state: 'up' }
  let downSinceMs = 0
  return {
    current: () => condition,
    moveTo(state: DatabaseState, cause: unknown): void {
      const was = condition.state
      condition = state === 'up' ? { state } : { state, cause }
      if (state === was) return
      if (was === 'up') downSinceMs = performance.now()
      if (state !== 'up') {
        log.error({ state, cause: codeOf(cause), reason: reasonOf(cause) }, sentences[state])
        return
      }
      const seconds = Math.round((performance.now() - downSinceMs) / 100) / 10
      log.warn({ state, was, seconds }, `the database is up again after ${seconds} s`)
    },
  }
}

/** Has the SQLSTATE that a write would get. */
const readOnlyCause = Object.assign(new Error('transaction_read_only is on'), { code: '25006' })

const noPrimaryCause = Object.assign(new Error('no host in DATABASE_URL is the primary'), { code: 'no_primary' })

/** States in which new connections would fail. In `read_only` and `full` they work for reads. */
const closedStates: ReadonlySet<DatabaseState> = new Set(['saturated', 'refused', 'unreachable'])

const sentences = {
  read_only: 'the database is read-only: changes fail',
  full: 'the disk of the database is full: changes fail',
  saturated: 'the database accepts no more connections',
  refused: 'the database rejects connections',
  unreachable: 'the database cannot be reached',
} as const satisfies Record<Exclude<DatabaseState, 'up'>, string>

async function outcomeOf(probe: Promise<ProbeResult>): Promise<Condition> {
  try {
    const result = await probe
    return result === 'no_primary'
      ? { state: 'refused', cause: noPrimaryCause }
      : { state: result, cause: readOnlyCause }
  } catch (cause) {
    return { state: stateOfProbe(cause), cause }
  }
}

/** Half of the pause is random, so that nodes do not connect at the same time. */
async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  const delayMs = timeMs / 2 + (Math.random() * timeMs) / 2
  await setTimeout(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
}
