import { DatabaseError } from 'pg'

import { Problem } from '../problems.ts'

const retryAfterSeconds = 1

/**
 * What a failed statement means to the caller: `database_unavailable` when the database could not be reached or could not serve,
 * otherwise the error itself. Its caller decides by the SQLSTATE; an error that no caller handles is a fault of our own SQL (classes
 * 22, 23 and 42: a bad value, a broken constraint, a syntax error) and is answered as `internal_error`. Never decided by the text.
 * Source: PostgreSQL documentation, appendix A.
 */
export function asProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Problem || isDefect(error)) return error
  if (error instanceof DatabaseError && !isUnavailable(error.code)) return error
  return new Problem('database_unavailable', { retryAfterSeconds, cause: error })
}

/**
 * A failed connection always means `database_unavailable`, whatever the server's reason (a changed password, a database that is being
 * restored).
 */
export function asConnectProblem(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return asProblem(error)
  return new Problem('database_unavailable', { retryAfterSeconds, cause: error })
}

/** True when the connection must not be used again: its link is lost, its state unknown, or its server does not accept writes any more. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof Problem) {
    const { cause } = error.more
    return error.code === 'database_unavailable' && (!(cause instanceof DatabaseError) || breaksConnection(cause))
  }
  if (!(error instanceof DatabaseError)) return false
  const code = error.code ?? ''
  // 25006: a server that became read-only is the old primary of a failover; a new connection finds the new one.
  return code.startsWith('08') || code.startsWith('57P') || code === '25006' || code === '25P03'
}

/**
 * Classes 08 connection, 53 resources, 57 intervention (with 57014, the statement timeout); 55P03 lock timeout; 25006 read-only;
 * 25P03 idle too long in a transaction.
 */
function isUnavailable(code: string | undefined): boolean {
  if (code === undefined) return true
  return ['08', '53', '57'].includes(code.slice(0, 2)) || ['55P03', '25006', '25P03'].includes(code)
}

/** A mistake in our own code, such as a value that cannot be a parameter, is not a failure of the database. */
function isDefect(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError
}
