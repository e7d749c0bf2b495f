import { confinementOf } from '../identity/caller.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Cursors } from '../platform/http/cursors.ts'
import { filterNames, reversedSort, sorts, type UsersFilters, type UsersSort } from './filters.ts'
import { type Page, readPage } from './list-page.ts'
import { adminUsersContract, type ListedUsers, type ListedUsersQuery, listedUsersDefault } from './pages-contract.ts'

/** The list of users in pages that lead both ways. */
export function adminUsersPages(rows: Rows, cursors: Cursors): Operation<typeof adminUsersContract> {
  return operation(adminUsersContract, async ({ caller, query, reply }) => {
    const { limit = listedUsersDefault, cursor, sort = '-created', q, status, role } = query
    const within = confinementOf(caller)
    const filters: UsersFilters = { email: q, status, role, orgId: within }
    const binding = bindingOf(sort, filters)
    const place = cursor === undefined ? startOf(sort) : placeOf(cursors.open(cursor, binding))
    const page = await readPage(rows, {
      filters,
      sort: place.isBefore ? reversedSort[sort] : sort,
      after: place.position,
      limit,
      format: 'record',
      isReversed: place.isBefore,
    })
    const links = Object.entries(neighboursOf(page, place, sort)).flatMap(([rel, to]) =>
      to === undefined
        ? []
        : [`<${pathOf({ ...query, limit }, to && cursors.seal(textOf(to), binding))}>; rel="${rel}"`],
    )
    if (links.length > 0) reply.header('link', links.join(', '))
    return jsonText<ListedUsers>(reply, page.body)
  })
}

/** Rows after a position, or those before it that are nearest to it. */
interface Place {
  readonly isBefore: boolean
  readonly position: readonly [key: string, id: string]
  readonly isStart?: true
}

function startOf(sort: UsersSort): Place {
  return { isBefore: false, position: sorts[sort].start, isStart: true }
}

/** Which pages there are beside this one; null is the first page, which needs no cursor. */
function neighboursOf(
  { first, next }: Page,
  { isBefore, isStart }: Place,
  sort: UsersSort,
): { readonly next?: Place | null | undefined; readonly prev?: Place | undefined } {
  const further = next === undefined ? undefined : { isBefore, position: positionOf(next) }
  if (isBefore)
    return { next: first === undefined ? null : { isBefore: false, position: positionOf(first) }, prev: further }
  if (isStart) return { next: further }
  // Where all that followed were removed, the way back begins at the end of the list.
  const position = first === undefined ? sorts[reversedSort[sort]].start : positionOf(first)
  return { next: further, prev: { isBefore: true, position } }
}

function positionOf(text: string): Place['position'] {
  // The trust boundary to SQL: the statement of a page makes this array.
  return JSON.parse(text) as Place['position']
}

function textOf({ isBefore, position }: Place): string {
  return JSON.stringify([isBefore, position])
}

function placeOf(text: string): Place {
  // The trust boundary: only places that this operation made are sealed with its binding.
  const [isBefore, position] = JSON.parse(text) as [boolean, Place['position']]
  return { isBefore, position }
}

function bindingOf(sort: UsersSort, filters: UsersFilters): string {
  return JSON.stringify([adminUsersContract.path, sort, ...filterNames.map((name) => filters[name])])
}

function pathOf({ cursor: _, ...query }: ListedUsersQuery, cursor: string | null): string {
  const parameters = Object.entries({ ...query, ...(cursor !== null && { cursor }) }).map(
    ([name, value]): [string, string] => [name, String(value)],
  )
  return `${adminUsersContract.path}?${new URLSearchParams(parameters)}`
}
