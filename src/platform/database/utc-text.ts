/** SQL for a `timestamptz` as RFC 3339 text in UTC with microseconds, which a JavaScript date would lose. */
export function utcText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Like `utcText`, in whole seconds. */
export function utcSecondsText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}
