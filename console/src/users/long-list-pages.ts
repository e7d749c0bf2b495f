import { isProblem } from '@muster/client'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../session/queries.ts'
import { type ListedUser, type UsersPage, type UsersSearch, usersPage } from './calls.ts'

/** What is in a row: a user, or why there is none. */
export type RowState =
  | { readonly user: ListedUser }
  | { readonly user?: undefined; readonly failure?: unknown; readonly retry?: () => void }

const placesKey = (search: UsersSearch) => ['users-places', search]

/** Where the pages of a list begin. Kept while the session lasts, so that the list is as long as it was when its reader comes back. */
export function usePlaces(search: UsersSearch) {
  const [places, setPlaces] = useState(() => queries.getQueryData<Places>(placesKey(search)) ?? firstPlace)
  const keep = (next: Places) => {
    setPlaces(next)
    queries.setQueryData(placesKey(search), next)
  }
  return [places, keep] as const
}

/** Reads the pages for the rows in view, ahead of them and behind; learns from each where the next one begins. */
export function usePages(
  search: UsersSearch,
  [places, keep]: ReturnType<typeof usePlaces>,
  range: readonly [first: number, last: number],
) {
  const wanted = pagesFor(places, range)
  const pages = useQueries({ queries: wanted.map((index) => usersPage(at(search, places.cursors[index]), pageSize)) })
  useEffect(() => {
    // Cursors of another time, such as before a restore: the list is read from its beginning.
    if (places !== firstPlace && pages.some(({ error }) => isProblem(error, 'cursor_invalid'))) return keep(firstPlace)
    const learned = pages.reduce((known, { data }, n) => (data ? learn(known, wanted[n] ?? 0, data) : known), places)
    if (learned !== places) keep(learned)
  })
  const pageOf = (row: number) => pages[Math.floor(row / pageSize) - (wanted[0] ?? 0)]
  return {
    rowAt: (row: number): RowState => rowOf(pageOf(row), row),
    /** Those of the pages in view. */
    loaded: () => pages.flatMap(({ data }) => data?.users ?? []),
  }
}

function rowOf(page: UseQueryResult<UsersPage> | undefined, row: number): RowState {
  const user = page?.data?.users[row % pageSize]
  if (user) return { user }
  return page?.isError ? { failure: page.error, retry: () => void page.refetch() } : {}
}

function at(search: UsersSearch, cursor: string | undefined): UsersSearch {
  return { ...search, ...(cursor !== undefined && { cursor }) }
}

/** The users of the rows from one to the other that are in memory. */
export function cachedBetween(search: UsersSearch, places: Places, [one, other]: readonly [number, number]) {
  const [from, to] = one < other ? [one, other] : [other, one]
  return Array.from({ length: to - from + 1 }, (_, n) => from + n).flatMap((row) => {
    const page = at(search, places.cursors[Math.floor(row / pageSize)])
    const data = queries.getQueryData<UsersPage>(usersPage(page, pageSize).queryKey)
    return data?.users[row % pageSize] ?? []
  })
}

/** Rows on a page of the long list. */
export const pageSize = 200

/**
 * Where the pages of a list begin, as far as it was read: a page that was dropped from memory is read again from here. All but the last
 * have `pageSize` rows.
 */
interface Places {
  /** Of each page; the first has none. */
  readonly cursors: readonly (string | undefined)[]
  /** Rows on the last page, once it was read. */
  readonly rowsOfLast?: number
}

const firstPlace: Places = { cursors: [undefined] }

/** What the page `index`, which was just read, tells about the one behind it. The same object where it tells nothing new. */
function learn(places: Places, index: number, { users, next }: UsersPage): Places {
  const known = places.cursors
  if (next === undefined) {
    if (places.rowsOfLast === users.length && known.length === index + 1) return places
    return { cursors: known.slice(0, index + 1), rowsOfLast: users.length }
  }
  if (known[index + 1] === next) return places
  // Users who were added or removed meanwhile move the next page. Those behind it are moved when it is read.
  const cursors = [...known.slice(0, index + 1), next, ...known.slice(index + 2)]
  const isLast = index + 2 >= known.length
  return { cursors, ...(!isLast && places.rowsOfLast !== undefined && { rowsOfLast: places.rowsOfLast }) }
}

/** Rows that are known to be there, and some in place of a page that was not read yet. */
export function rowCount({ cursors, rowsOfLast = rowsExpected }: Places): number {
  return (cursors.length - 1) * pageSize + rowsOfLast
}

const rowsExpected = 3

/** The pages for these rows: each that has one of them, and its neighbour where they are near to it. */
function pagesFor(places: Places, [first, last]: readonly [number, number]): readonly number[] {
  const from = Math.max(0, Math.floor((first - rowsAhead) / pageSize))
  const to = Math.min(places.cursors.length - 1, Math.floor((last + rowsAhead) / pageSize))
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/** More than a second of fast scrolling; the first page alone fills a window without asking for the second. */
const rowsAhead = 120
