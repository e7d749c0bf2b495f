import { unwrap } from '@muster/client'
import { type QueryKey, queryOptions } from '@tanstack/react-query'

/** A query that reads one operation. */
export function reading<Data>(queryKey: QueryKey, call: (signal: AbortSignal) => Parameters<typeof unwrap<Data>>[0]) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => unwrap(call(signal)) })
}
