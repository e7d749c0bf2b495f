/** A `timestamptz` as RFC 3339 text in UTC with all its microseconds, as SQL: a JavaScript date would lose three digits. */
export function utcText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** The same to the second. */
export function utcSecondsText(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}
