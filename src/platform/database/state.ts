import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { innermostCause } from './faults.ts'

/**
 * - `read_only`: reads work.
 * - `full`: the disk is full; reads work.
 * - `saturated`: the server accepts no more connections.
 * - `refused`: the server rejects connections, such as while it starts or after a changed password; or no host is the primary.
 * - `unreachable`: no answer.
 */
export const databaseStates = ['up', 'read_only', 'full', 'saturated', 'refused', 'unreachable'] as const
export type DatabaseState = (typeof databaseStates)[number]

export interface Condition {
  readonly state: DatabaseState
  /** The error that led to the state. */
  readonly cause?: unknown
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

/** The state that a failure implies. `suspected` requires a probe; undefined means that only the statement failed. */
function stateAfter(error: unknown): DatabaseState | 'suspected' | undefined {
  const cause = innermostCause(error)
  return cause instanceof DatabaseError ? stateOfCode(cause.code ?? '') : 'suspected'
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

/** Undefined for a code that says nothing about the state, such as a statement timeout (57014). */
function stateOfCode(code: string): DatabaseState | 'suspected' | undefined {
  if (code === '25006') return 'read_only'
  if (code === '53100') return 'full'
  if (code.startsWith('53')) return 'saturated'
  // 08 connection; 57P operator intervention.
  return code.startsWith('08') || code.startsWith('57P') ? 'suspected' : undefined
}

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

function stateOfProbe(error: unknown): DatabaseState {
  const cause = innermostCause(error)
  if (!(cause instanceof DatabaseError)) return 'unreachable'
  const state = stateOfCode(cause.code ?? '')
  return state === undefined || state === 'suspected' ? 'refused' : state
}

/** Code of the error that led to the state. Undefined if the database is up. */
export function causeCode({ state, cause }: Condition): string | undefined {
  return state === 'up' || cause === undefined ? undefined : codeOf(innermostCause(cause))
}

/** SQLSTATE or system error code. A connection timeout of `pg` has none. */
function codeOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return errorCode(first) ?? 'no_answer'
}

function reasonOf(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error ? first.message : undefined
}

/** Half of the pause is random, so that nodes do not connect at the same time. */
async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  const delayMs = timeMs / 2 + (Math.random() * timeMs) / 2
  await setTimeout(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
}
