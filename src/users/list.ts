import { bulkhead, isBulkheadRejectedError } from 'cockatiel'
import { DatabaseError } from 'pg'
import { type AccountState, callerValues, requireAccount } from '../identity/account.ts'
import { refusePermission } from '../identity/authorize.ts'
import type { Caller } from '../identity/caller.ts'
import { requirePermission } from '../identity/permissions.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { Cursors } from './cursor.ts'
import { framed, framedPage, type ListFormatName, listFormats } from './list-formats.ts'
import {
  countStatement,
  listStatement,
  type PageQuestion,
  pageStatement,
  rowsMaxOf,
  startOf,
  type UsersFilters,
  type UsersSort,
} from './list-sql.ts'

export interface UsersList {
  readonly filters: UsersFilters
  readonly sort: UsersSort
  readonly format: ListFormatName
}

/** `body` is text of the format asked for; `next` is the cursor of the next page, absent on the last. */
export interface UsersPage {
  readonly body: string
  readonly next?: string
}

/** The people of the service, for whoever may list them. */
export interface Listing {
  /** Problems: those of `requireAccount`, `permission_missing`. */
  mayList(caller: Caller): Promise<void>
  /** `limit` counts users. Problems: those of `mayList`, `cursor_invalid`. */
  page(caller: Caller, list: UsersList, place: { limit: number; cursor?: string | undefined }): Promise<UsersPage>
  /**
   * The whole list as pieces of one text, from one snapshot and in constant memory. What fails before the first piece is a
   * problem; what fails later throws out of the iteration, so that the transfer breaks off and no short list looks whole.
   * Problems: those of `mayList`, `overloaded` where as many lists are streamed already as this node takes.
   */
  whole(caller: Caller, list: UsersList, signal: AbortSignal): Promise<AsyncIterable<string>>
  /** How many users fit. For callers who may list. Problems: `count_timeout`, `overloaded`. */
  count(filters: UsersFilters): Promise<number>
}

export const listPermission = { resource: 'users', action: 'list' } as const

/** `exportsMax` counts whole lists streamed at once. */
export function createListing(
  database: Database,
  { cursors, exportsMax }: { cursors: Cursors; exportsMax: number },
): Listing {
  const counting = bulkhead(countsMax, countsWaitingMax)
  let exports = 0

  return {
    async mayList(caller) {
      await requirePermission(database, caller, listPermission)
    },

    async page(caller, list, { limit, cursor }) {
      const query = queryOf(list)
      const after: readonly [string, string] =
        cursor === undefined ? startOf[list.sort] : JSON.parse(cursors.open(cursor, query))
      const values = callerValues(caller)
      const row = await readPage(database, caller, { ...list, caller: values, after, limit })
      return {
        body: framedPage(listFormats[list.format], row.rows),
        ...(row.next !== null && { next: cursors.seal(row.next, query) }),
      }
    },

    async whole(caller, list, signal) {
      await requirePermission(database, caller, listPermission)
      if (exports >= exportsMax)
        refuse('overloaded', { detail: 'Too many whole lists are being read.', retryAfterSeconds: 10 })
      exports += 1
      return begun(everybody(database, list, { signal }), () => {
        exports -= 1
      })
    },

    async count(filters) {
      try {
        return await counting.execute(() => countEverybody(database, filters, countTimeoutMs))
      } catch (error) {
        if (isBulkheadRejectedError(error)) refuse('overloaded', { retryAfterSeconds: 5, cause: error })
        throw error
      }
    },
  }
}

/** Counts that run at once, and that wait: each may read an index from end to end. */
const countsMax = 2
const countsWaitingMax = 8
/** An exact count of a million accounts takes a twentieth of this. */
const countTimeoutMs = 2_000

interface PageRow extends AccountState {
  readonly allowed: boolean
  readonly rows: string | null
  readonly next: string | null
  readonly met: number
  readonly whole: boolean
}

/**
 * A filter that no index of the sort begins with is met in two ways. What many users fit is found by walking the sort's index from the
 * position; what few fit, by its own index. A glance at the next rows settles what is common and tells which of the two is the shorter one
 * for the rest. Both are bounded: what they do not settle is common and far from here, and left to a longer walk.
 */
async function readPage(database: Database, caller: Caller, question: Omit<PageQuestion, 'way'>): Promise<PageRow> {
  const glanced = await readAllowed(database, caller, { ...question, way: 'glance' })
  if (glanced.whole) return glanced
  const promised = (glanced.met * rowsMaxOf.walk) / rowsMaxOf.glance
  if (promised >= question.limit * walkMargin) {
    const walked = await readAllowed(database, caller, { ...question, way: 'walk' })
    if (walked.whole) return walked
  }
  const gathered = await readAllowed(database, caller, { ...question, way: 'gather' })
  return gathered.whole ? gathered : readAllowed(database, caller, { ...question, way: 'trek' })
}

/**
 * A glance is a small sample: a walk that promises just a page often ends before it has one. At a million accounts and pages of 100 a
 * walk and a gathering cost the same where 1.3 pages are promised.
 */
const walkMargin = 1.3

async function readAllowed(rows: Rows, caller: Caller, question: PageQuestion): Promise<PageRow> {
  const { statement, values } = pageStatement(question)
  const row = await requireAccount(rows, caller, async () => (await rows.query<PageRow>(statement, values))[0])
  if (!row.allowed) refusePermission(listPermission)
  return row
}

/** Which list a cursor belongs to. */
function queryOf({ filters, sort }: UsersList): string {
  const { email, role, orgId, status } = filters
  return JSON.stringify([sort, email, role, orgId, status])
}

/** Waits for the first piece, so that a database that cannot answer is still a problem, and calls `ended` once, however it ends. */
async function begun(
  pieces: AsyncGenerator<string, void, void>,
  ended: () => void,
): Promise<AsyncIterableIterator<string, void>> {
  const counted = (async function* () {
    try {
      yield* pieces
    } finally {
      ended()
    }
  })()
  let first: IteratorResult<string, void> | undefined = await counted.next()
  const iterator: AsyncIterableIterator<string, void> = {
    async next() {
      const result = first ?? (await counted.next())
      first = undefined
      return result
    },
    // Not a generator of its own: one that was never started would not pass its end on.
    return: () => counted.return(),
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

/** The whole list as pieces of one text, for whoever has the database itself. `told` hears how many users each piece has. */
export function everybody(
  database: Database,
  { filters, sort, format }: UsersList,
  { signal, told }: { signal?: AbortSignal; told?: (users: number) => void },
): AsyncGenerator<string, void, void> {
  const { statement, values } = listStatement(filters, sort, format)
  const batches = database.stream(statement, values, signal ? { signal } : {})
  return framed(listFormats[format], batches, told)
}

/** How many users fit. Problem: `count_timeout` where it takes longer than `timeoutMs`. */
export async function countEverybody(database: Database, filters: UsersFilters, timeoutMs: number): Promise<number> {
  const { statement, values } = countStatement(filters)
  try {
    const [row] = await database.transaction(async (rows) => {
      await rows.query(limitStatement, [String(timeoutMs)])
      return rows.query<{ total: string }>(statement, values)
    })
    return Number(row?.total)
  } catch (error) {
    const cause = error instanceof Problem ? error.more.cause : error
    // 57014: cancelled, here by the time limit.
    if (cause instanceof DatabaseError && cause.code === '57014')
      return refuse('count_timeout', { detail: 'Ask for the list without its count.', cause })
    throw error
  }
}

const limitStatement = { name: 'users_count_limit', text: `select set_config('statement_timeout', $1, true)` }
