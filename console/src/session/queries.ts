import { isProblem } from '@muster/client'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { session } from './muster.ts'

/** What was read of the service. The client repeats what may be repeated, so no query does. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEnd }),
  defaultOptions: { queries: { retry: false, staleTime: 10_000 }, mutations: { retry: false, onError: noticeEnd } },
})

/** Nothing that was read stays when the session is over. */
session.subscribe(() => {
  if (session.read().status === 'closed') queries.clear()
})

function noticeEnd(error: unknown): void {
  if (isProblem(error, 'session_ended', 'account_disabled', 'account_removed', 'token_missing')) session.markEnded()
}
