import type { FastifyRequest } from 'fastify'
import type { IssuerNames } from '../identity/issuers/names.ts'
import { jsonText, type Operation, onlyOrganizationOf, operation } from '../identity/operation.ts'
import { type Bulkhead, createBulkhead } from '../platform/bulkhead.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { answerPage, type Cursors, pageUrl } from '../platform/http/cursors.ts'
import { addVary, chooseType } from '../platform/http/negotiation.ts'
import { callerGone, streamResponse } from '../platform/http/transfer.ts'
import type { LimitLog } from '../platform/limit-log.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { confine, filterNames, readFilters, reversedSort, sorts } from './filters.ts'
import { countUsers, streamAll, type UsersList } from './list-all.ts'
import {
  adminUsersContract,
  adminUsersFetchContract,
  type ListedUsers,
  listedUsersDefault,
  usersPageSizeDefault,
} from './list-contract.ts'
import { type PageQuestion, readPage } from './list-page.ts'

export interface ListSettings {
  readonly issuers: IssuerNames
  readonly cursors: Cursors
  /** Maximum number of full exports at the same time. One caller can use half of them. */
  readonly exportsMax: number
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number
  /** Time limit of a full export. */
  readonly wholeMs: number
  readonly limitLog: LimitLog
  readonly now: Clock
}

export const exportsLimit = 'exports'

export function adminUsersFetch(database: Database, settings: ListSettings): Operation<typeof adminUsersFetchContract> {
  const { exportsMax, limitLog, issuers, now } = settings
  const counts = createBulkhead(countsMax, countsWaitingMax, {
    ...halfOf(countsMax, countsWaitingMax),
    refusal: (isOwnShare) => refusalOf(isOwnShare, 5),
  })
  const exports = createBulkhead(exportsMax, 0, {
    ...halfOf(exportsMax),
    refusal(isOwnShare) {
      if (!isOwnShare) limitLog.reached(exportsLimit, exportsMax)
      return refusalOf(isOwnShare, 10)
    },
  })

  const handle = operation(adminUsersFetchContract, async ({ caller, query, request, reply }) => {
    const { format, type, ending } = requireFormat(request)
    const { limit, cursor, count, sort = 'created', ...filterQuery } = query
    const within = onlyOrganizationOf(caller)
    const filters = confine(readFilters(filterQuery, issuers), within)
    const list = { filters, sort, format, within }
    if (count) {
      const counted = () => countUsers(database, filters, countTimeoutMs)
      reply.header('total-count', await counts.run(counted, caller.key))
    }
    reply.type(type)
    if (ending !== undefined) reply.header('content-disposition', `attachment; filename="${fileName(now(), ending)}"`)
    addVary(reply, 'accept, accept-encoding')
    if (limit === undefined && cursor === undefined) {
      // The headers of a full export do not depend on its rows.
      if (request.method === 'HEAD') return reply.send()
      const signal = callerGone(reply)
      const pieces = await startStream(exports, caller.key, () => streamAll(database, list, { signal }))
      return streamResponse(pieces, { request, reply, stallMs: settings.stallMs })
    }

    const place = { ...list, limit: limit ?? usersPageSizeDefault, cursor }
    const page = await pageAt(database, place, settings.cursors)
    if (page.next !== undefined) {
      // The count is not repeated.
      const next = { path: adminUsersFetchContract.path, query: { ...query, count: undefined, limit: place.limit } }
      reply.header('link', `<${pageUrl(next, page.next)}>; rel="next"`)
    }
    return page.body
  })
  return { ...handle, timeoutMs: settings.wholeMs }
}

/** Counts may read an index from end to end: how many run, and how many wait. */
const countsMax = 2
const countsWaitingMax = 8
/** An exact count of a million accounts takes about 5 % of this. */
const countTimeoutMs = 2_000

const formats = {
  'application/json': { format: 'json', type: 'application/json; charset=utf-8', ending: undefined },
  'application/x-ndjson': { format: 'ndjson', type: 'application/x-ndjson; charset=utf-8', ending: 'ndjson' },
  'text/csv; bom=absent': { format: 'csv', type: 'text/csv; charset=utf-8; header=present', ending: 'csv' },
  'text/csv; bom=present': {
    format: 'csvWithBom',
    type: 'text/csv; charset=utf-8; header=present; bom=present',
    ending: 'csv',
  },
} as const

/** RFC 6266 §4.1. The day is in UTC. */
function fileName(nowMs: number, ending: string): string {
  return `users-${new Date(nowMs).toISOString().slice(0, 10)}.${ending}`
}

function requireFormat({ headers }: FastifyRequest) {
  const chosen = chooseType(headers.accept, [
    'application/json',
    'application/x-ndjson',
    'text/csv; bom=absent',
    'text/csv; bom=present',
  ])
  if (chosen !== undefined) return formats[chosen]
  return refuse('format_not_acceptable', { detail: 'Accept application/json, application/x-ndjson or text/csv.' })
}

/** Turns `next` of the page into a cursor. Problem: `cursor_invalid`. */
async function pageAt(
  database: Database,
  { cursor, ...list }: UsersList & { readonly limit: number; readonly cursor: string | undefined },
  cursors: Cursors,
): Promise<{ readonly body: string; readonly next: string | undefined }> {
  const { filters, sort } = list
  const binding = JSON.stringify([sort, ...filterNames.map((name) => filters[name])])
  const after: PageQuestion['after'] =
    cursor === undefined ? sorts[sort].start : JSON.parse(cursors.open(cursor, binding))
  const { body, next } = await readPage(database, { ...list, after })
  return { body, next: next === null ? undefined : cursors.seal(next, binding) }
}

/**
 * Starts a stream in a slot of the bulkhead and frees the slot however the stream ends. A failure before the first
 * chunk becomes a problem. A later failure aborts the connection, so that a partial list never looks complete.
 */
function startStream(slots: Bulkhead, callerId: string, open: () => AsyncGenerator<string, void, void>) {
  return new Promise<AsyncIterableIterator<string, void>>((resolve, reject) => {
    const ended = () =>
      new Promise<void>((release) => {
        withCleanup(open(), release).then(resolve, reject)
      })
    slots.run(ended, callerId).catch(reject)
  })
}

/** The slots that one caller can use, so that others are served too: half, but at least one. */
function halfOf(running: number, waiting = 0) {
  return { running: Math.ceil(running / 2), waiting: Math.ceil(waiting / 2) }
}

function refusalOf(isOwnShare: boolean, retryAfterSeconds: number): Problem {
  return isOwnShare
    ? new Problem('rate_limited', { detail: 'Wait until one of your lists is finished.', retryAfterSeconds })
    : new Problem('overloaded', { detail: 'Too many lists are being streamed.', retryAfterSeconds })
}

/** Resolves after the first chunk. Calls `cleanup` once when the iteration ends, fails or is abandoned. */
async function withCleanup(
  pieces: AsyncGenerator<string, void, void>,
  cleanup: () => void,
): Promise<AsyncIterableIterator<string, void>> {
  const cleaned = (async function* () {
    try {
      yield* pieces
    } finally {
      cleanup()
    }
  })()
  let first: IteratorResult<string, void> | undefined = await cleaned.next()
  const iterator: AsyncIterableIterator<string, void> = {
    async next() {
      const result = first ?? (await cleaned.next())
      first = undefined
      return result
    },
    // Not a generator: `return` on a generator that has not started would skip its cleanup.
    return: () => cleaned.return(),
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

/** The user list in pages with links to the next and the previous page. */
export function adminUsersPages(
  database: Rows,
  { cursors, issuers }: Pick<ListSettings, 'cursors' | 'issuers'>,
): Operation<typeof adminUsersContract> {
  return operation(adminUsersContract, async ({ caller, query, reply }) => {
    const { limit = listedUsersDefault, cursor, sort = '-created', ...filtered } = query
    const filters = confine(readFilters(filtered, issuers), onlyOrganizationOf(caller))
    const list = {
      cursors,
      path: adminUsersContract.path,
      query: { ...query, limit },
      binding: [sort, ...filterNames.map((name) => filters[name])],
      start: sorts[sort].start,
      end: sorts[reversedSort[sort]].start,
    }
    const body = await answerPage(list, { cursor, reply }, ({ isBefore, position }) =>
      readPage(database, {
        filters,
        sort: isBefore ? reversedSort[sort] : sort,
        after: position,
        limit,
        format: 'record',
        isReversed: isBefore,
      }),
    )
    return jsonText<ListedUsers>(reply, body)
  })
}
