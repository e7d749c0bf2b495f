import { DatabaseError } from 'pg'
import { errorCode } from '../error-code.ts'
import { Problem, type ProblemCode } from '../problems.ts'

/**
 * Maps the error of a failed statement to a problem: `read_only` if the database accepts no changes (25006, or 53100 disk full),
 * `database_unavailable` if it cannot be reached or is overloaded. Returns any other error unchanged, for callers that handle its
 * SQLSTATE. If nobody does, it is a mistake in our SQL (classes 22, 23, 42) and becomes `internal_error`.
 * Decides by SQLSTATE, never by message. Source: PostgreSQL documentation, appendix A.
 */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem || isDefect(error)) return error
  if (!(error instanceof DatabaseError)) return databaseProblem('database_unavailable', error)
  if (rejectsWrites(error.code)) return databaseProblem('read_only', error)
  return isUnavailable(error.code) ? databaseProblem('database_unavailable', error) : error
}

/** Maps the error of a failed connection to `database_unavailable`, whatever the reason, such as a changed password. */
export function asConnectProblem(error: unknown): unknown {
  return error instanceof DatabaseError ? databaseProblem('database_unavailable', error) : asProblem(error)
}

/** True if the connection must not be reused: it is lost, its state is unknown, or the server no longer accepts writes. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof Problem) {
    const { cause } = error.more
    return (
      Object.hasOwn(retryAfterSeconds, error.code) && (!(cause instanceof DatabaseError) || breaksConnection(cause))
    )
  }
  if (!(error instanceof DatabaseError)) return false
  const code = error.code ?? ''
  // 25006: after a failover the old primary is read-only. A new connection finds the new primary.
  return code.startsWith('08') || code.startsWith('57P') || code === '25006' || code === '25P03'
}

/** Returns the cause of a problem, or the error itself. */
export function innermostCause(error: unknown): unknown {
  return error instanceof Problem && error.more.cause !== undefined ? error.more.cause : error
}

/** True for a problem that was caused by a database error. */
export function isDatabaseProblem(error: unknown): boolean {
  return error instanceof Problem && Object.hasOwn(retryAfterSeconds, error.code) && error.more.cause !== undefined
}

/** Replacing a lost connection takes less than a second. A failover or a full disk takes longer. */
const retryAfterSeconds = { database_unavailable: 1, read_only: 5 } as const satisfies Partial<
  Record<ProblemCode, number>
>

export function databaseProblem(code: keyof typeof retryAfterSeconds, cause?: unknown): Problem {
  return new Problem(code, { retryAfterSeconds: retryAfterSeconds[code], cause })
}

function rejectsWrites(code: string | undefined): boolean {
  return code === '25006' || code === '53100'
}

/** Classes 08 connection, 53 resources, 57 intervention (57014 is the statement timeout). 55P03 lock timeout, 25P03 idle in transaction. */
function isUnavailable(code: string | undefined): boolean {
  if (code === undefined) return true
  return ['08', '53', '57'].includes(code.slice(0, 2)) || ['55P03', '25P03'].includes(code)
}

/** True for a mistake in our own code, such as a value of an unsupported type. */
function isDefect(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}

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

/** The state that a failure implies. `suspected` requires a probe; undefined means that only the statement failed. */
export function stateAfter(error: unknown): DatabaseState | 'suspected' | undefined {
  const cause = innermostCause(error)
  return cause instanceof DatabaseError ? stateOfCode(cause.code ?? '') : 'suspected'
}

export function stateOfProbe(error: unknown): DatabaseState {
  const cause = innermostCause(error)
  if (!(cause instanceof DatabaseError)) return 'unreachable'
  const state = stateOfCode(cause.code ?? '')
  return state === undefined || state === 'suspected' ? 'refused' : state
}

/** Undefined for a code that says nothing about the state, such as a statement timeout (57014). */
function stateOfCode(code: string): DatabaseState | 'suspected' | undefined {
  if (code === '25006') return 'read_only'
  if (code === '53100') return 'full'
  if (code.startsWith('53')) return 'saturated'
  // 08 connection; 57P operator intervention.
  return code.startsWith('08') || code.startsWith('57P') ? 'suspected' : undefined
}

/** Code of the error that led to the state. Undefined if the database is up. */
export function causeCode({ state, cause }: Condition): string | undefined {
  return state === 'up' || cause === undefined ? undefined : codeOf(innermostCause(cause))
}

/** SQLSTATE or system error code. A connection timeout of `pg` has none. */
export function codeOf(cause: unknown): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return errorCode(first) ?? 'no_answer'
}

export function reasonOf(cause: unknown): string | undefined {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error ? first.message : undefined
}
