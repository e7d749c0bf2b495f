import { type Operation, operation } from '../identity/operation.ts'
import { chooseType } from '../platform/http/accept.ts'
import { callerGone } from '../platform/http/caller-gone.ts'
import { sendPieces } from '../platform/http/transfer.ts'
import { refuse } from '../platform/problems.ts'
import type { Listing, UsersList } from './list.ts'
import { adminUsersFetchContract, type UsersQuery, usersPageSizeDefault } from './list-contract.ts'

const formats = {
  'application/json': { format: 'json', type: 'application/json; charset=utf-8' },
  'application/x-ndjson': { format: 'ndjson', type: 'application/x-ndjson; charset=utf-8' },
  'text/csv': { format: 'csv', type: 'text/csv; charset=utf-8; header=present' },
} as const

export interface ListingLimits {
  /** How long a reader of the whole list may take nothing. */
  readonly stallMs: number
  /** How long a whole list may take. */
  readonly wholeMs: number
}

export function adminUsersFetch(listing: Listing, { stallMs, wholeMs }: ListingLimits): Operation {
  const handle = operation(adminUsersFetchContract, async ({ caller, query, request, reply }) => {
    const chosen = chooseType(request.headers.accept, ['application/json', 'application/x-ndjson', 'text/csv'])
    if (chosen === undefined)
      refuse('format_not_acceptable', { detail: 'Ask for application/json, application/x-ndjson or text/csv.' })
    const { format, type } = formats[chosen]
    const { cursor, limit, count, sort = 'created', email, role, orgId, status } = query
    const list: UsersList = { filters: { email, role, orgId, status }, sort, format }
    const isWhole = limit === undefined && cursor === undefined

    if (count || isWhole) await listing.mayList(caller)
    if (count) reply.header('total-count', await listing.count(list.filters))
    reply.type(type).header('vary', 'accept, accept-encoding')
    if (isWhole) {
      // A reader of headers only is not worth a snapshot of the database.
      if (request.method === 'HEAD') return reply.send()
      return sendPieces(await listing.whole(caller, list, callerGone(reply)), { request, reply, stallMs })
    }

    const page = await listing.page(caller, list, { limit: limit ?? usersPageSizeDefault, cursor })
    if (page.next !== undefined) reply.header('link', `<${nextPath(query, page.next)}>; rel="next"`)
    return page.body
  })
  return { ...handle, timeoutMs: wholeMs }
}

/** The same list from the next position on. The count is not asked for again. */
function nextPath({ limit = usersPageSizeDefault, count: _, ...query }: UsersQuery, cursor: string): string {
  const parameters = Object.entries({ ...query, limit: String(limit), cursor })
  return `${adminUsersFetchContract.path}?${new URLSearchParams(parameters)}`
}
