import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../error-code.ts'
import { innermostCause } from './faults.ts'

/**
 * `read_only`: reads work. `full`: the disk is full; reads work. `saturated`: the server gives no further connection. `refused`: it
 * answers and lets this node in no more, such as while it starts or after a changed password, or none of several hosts is the primary.
 * `unreachable`: no answer.
 */
export const databaseStates = ['up', 'read_only', 'full', 'saturated', 'refused', 'unreachable'] as const
export type DatabaseState = (typeof databaseStates)[number]

export interface Condition {
  readonly state: DatabaseState
  /** The error that led to the state. */
  readonly cause?: unknown
}

/** The state of the database as this node knows it. */
export interface StateMachine {
  current(): Condition
  /** Whether new connections may be opened. While they may not, only the probe connects. */
  mayConnect(): boolean
  /** A statement failed, or a connection was lost. */
  failed(error: unknown): void
  /** A connection could not be opened. */
  connectFailed(error: unknown): void
  /** Failures since the start, by SQLSTATE or by the code of the system's error. */
  failures(): ReadonlyMap<string, number>
  stop(): Promise<void>
}

export interface StateOptions {
  /** Opens a connection of its own and asks whether the database can be written to. Rejects with the reason if that fails. */
  readonly probe: (suspected: DatabaseState) => Promise<ProbeResult>
  readonly log: Logger
  readonly timings?: ProbeTimings
}

/** `no_primary`: hosts answer, and changes that were acknowledged may be missing on each of them. */
export type ProbeResult = 'up' | 'read_only' | 'no_primary'

export interface ProbeTimings {
  readonly delayMinMs: number
  readonly delayMaxMs: number
}

/** A database that is back is in use again within `delayMaxMs`. */
export const probeTimings: ProbeTimings = { delayMinMs: 100, delayMaxMs: 1_000 }

/**
 * SQLSTATEs that name a state by themselves (25006 read-only, 53100 disk full, 53 other resources) change it at once. Any other failure,
 * such as a lost connection, only starts a probe, and the state is what the probe finds: one ended backend is no outage. While the
 * database is not up, one probe after the other runs, with growing pauses, and no request opens a connection.
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
      const found = await outcomeOf(probe(condition.current().state))
      if (stopping.signal.aborted) return
      // A statement failed for the same reason meanwhile: the probe found another moment, or another disk.
      if (found.state === 'up' && isConfirmed) continue
      condition.moveTo(found.state, found.cause)
      if (found.state === 'up') return
    }
  }

  function startProbing(): void {
    if (stopping.signal.aborted) return
    probing ??= keepProbing().finally(() => {
      probing = undefined
    })
  }

  function take(error: unknown, state: DatabaseState | 'suspected' | undefined): void {
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
    failed: (error) => take(error, stateAfter(error)),
    connectFailed: (error) => take(error, stateAfter(error) ?? 'suspected'),
    failures: () => failures,
    async stop() {
      stopping.abort()
      await probing
    },
  }
}

/** What a failure tells; `suspected` where it tells nothing of the server, undefined where only the statement is at fault. */
function stateAfter(error: unknown): DatabaseState | 'suspected' | undefined {
  const cause = innermostCause(error)
  return cause instanceof DatabaseError ? stateOfCode(cause.code ?? '') : 'suspected'
}

/** The present state. A change is one line in the log, with its cause or with how long the database was away. */
function createCondition(log: Logger) {
  let present: Condition = { state: 'up' }
  let downSinceMs = 0
  return {
    current: () => present,
    moveTo(state: DatabaseState, cause: unknown): void {
      const was = present.state
      present = state === 'up' ? { state } : { state, cause }
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

/** What the probe has asked for, by the SQLSTATE that a change would get. */
const foundReadOnly = Object.assign(new Error('transaction_read_only is on'), { code: '25006' })

const foundNoPrimary = Object.assign(new Error('no host of DATABASE_URL is the primary'), { code: 'no_primary' })

/** In these a further connection would fail. In `read_only` and `full` it is of use for reads. */
const closedStates: ReadonlySet<DatabaseState> = new Set(['saturated', 'refused', 'unreachable'])

const sentences = {
  read_only: 'the database is read-only: nothing can be changed',
  full: 'the disk of the database is full: nothing can be changed',
  saturated: 'the database gives no further connection',
  refused: 'the database refuses connections',
  unreachable: 'the database cannot be reached',
} as const satisfies Record<Exclude<DatabaseState, 'up'>, string>

/** Undefined for an answer that says nothing about the state, such as a statement that took too long (57014). */
function stateOfCode(code: string): DatabaseState | 'suspected' | undefined {
  if (code === '25006') return 'read_only'
  if (code === '53100') return 'full'
  if (code.startsWith('53')) return 'saturated'
  // 08 connection; 57P operator intervention.
  return code.startsWith('08') || code.startsWith('57P') ? 'suspected' : undefined
}

async function outcomeOf(probed: Promise<ProbeResult>): Promise<Condition> {
  try {
    const found = await probed
    return found === 'no_primary' ? { state: 'refused', cause: foundNoPrimary } : { state: found, cause: foundReadOnly }
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

/** What led to a state: undefined where the database is up. */
export function causeCode({ state, cause }: Condition): string | undefined {
  return state === 'up' || cause === undefined ? undefined : codeOf(innermostCause(cause))
}

/** SQLSTATE or the system's code. `pg` gives a connection that answers too late none. */
function codeOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return errorCode(first) ?? 'no_answer'
}

function reasonOf(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error ? first.message : undefined
}

/** Half of it is random, so that the nodes do not connect together. */
async function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  const delayMs = timeMs / 2 + (Math.random() * timeMs) / 2
  await setTimeout(delayMs, undefined, { signal, ref: false }).catch(() => undefined)
}
