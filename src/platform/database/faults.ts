import { DatabaseError } from 'pg'

import { Problem, type ProblemCode } from '../problems.ts'

/**
 * What a failed statement means to the caller: `read_only` when the database takes no change at the moment (25006; 53100, its disk is
 * full), `database_unavailable` when it could not be reached or could not serve, otherwise the error itself. Its caller decides by the
 * SQLSTATE; an error that no caller handles is a fault of our own SQL (classes 22, 23 and 42: a bad value, a broken constraint, a syntax
 * error) and is answered as `internal_error`. Never decided by the text.
 * Source: PostgreSQL documentation, appendix A.
 */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem || isDefect(error)) return error
  if (!(error instanceof DatabaseError)) return problemOf('database_unavailable', error)
  if (takesNoChange(error.code)) return problemOf('read_only', error)
  return isUnavailable(error.code) ? problemOf('database_unavailable', error) : error
}

/**
 * A failed connection always means `database_unavailable`, whatever the server's reason (a changed password, a database that is being
 * restored).
 */
export function asConnectProblem(error: unknown): unknown {
  return error instanceof DatabaseError ? problemOf('database_unavailable', error) : asProblem(error)
}

/** True when the connection must not be used again: its link is lost, its state unknown, or its server does not accept writes any more. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof Problem) {
    const { cause } = error.more
    return (
      Object.hasOwn(retryAfterSeconds, error.code) && (!(cause instanceof DatabaseError) || breaksConnection(cause))
    )
  }
  if (!(error instanceof DatabaseError)) return false
  const code = error.code ?? ''
  // 25006: a server that became read-only is the old primary of a failover; a new connection finds the new one.
  return code.startsWith('08') || code.startsWith('57P') || code === '25006' || code === '25P03'
}

/** The error behind a problem of the database. */
export function innermostCause(error: unknown): unknown {
  return error instanceof Problem && error.more.cause !== undefined ? error.more.cause : error
}

/** A problem that an error of the database has caused. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof Problem && Object.hasOwn(retryAfterSeconds, error.code) && error.more.cause !== undefined
}

/** A lost connection is replaced within a second; a failover or a full disk takes longer. */
const retryAfterSeconds = { database_unavailable: 1, read_only: 5 } as const satisfies Partial<
  Record<ProblemCode, number>
>

export function problemOf(code: keyof typeof retryAfterSeconds, cause?: unknown): Problem {
  return new Problem(code, { retryAfterSeconds: retryAfterSeconds[code], cause })
}

function takesNoChange(code: string | undefined): boolean {
  return code === '25006' || code === '53100'
}

/**
 * Classes 08 connection, 53 resources, 57 intervention (with 57014, the statement timeout); 55P03 lock timeout; 25P03 idle too long in a
 * transaction.
 */
function isUnavailable(code: string | undefined): boolean {
  if (code === undefined) return true
  return ['08', '53', '57'].includes(code.slice(0, 2)) || ['55P03', '25P03'].includes(code)
}

/** A mistake in our own code, such as a value that cannot be a parameter, is not a failure of the database. */
function isDefect(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
