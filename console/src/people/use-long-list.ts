import { isProblem } from '@muster/client'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../session/queries.ts'
import { firstPlace, learn, type Places, pageSize, pagesFor } from './places.ts'
import { type ListedUser, type PeoplePage, pageQuery } from './read-people.ts'
import type { PeopleSearch } from './search.ts'

/** What is in a row: a person, or why there is none. */
export type RowState =
  | { readonly user: ListedUser }
  | { readonly user?: undefined; readonly failure?: unknown; readonly retry?: () => void }

const placesKey = (search: PeopleSearch) => ['people-places', search]

/** Where the pages of a list begin. Kept while the session lasts, so that the list is as long as it was when its reader comes back. */
export function usePlaces(search: PeopleSearch) {
  const [places, setPlaces] = useState(() => queries.getQueryData<Places>(placesKey(search)) ?? firstPlace)
  const keep = (next: Places) => {
    setPlaces(next)
    queries.setQueryData(placesKey(search), next)
  }
  return [places, keep] as const
}

/** Reads the pages for the rows in view, ahead of them and behind; learns from each where the next one begins. */
export function usePages(
  search: PeopleSearch,
  [places, keep]: ReturnType<typeof usePlaces>,
  range: readonly [first: number, last: number],
) {
  const wanted = pagesFor(places, range)
  const pages = useQueries({
    queries: wanted.map((index) => pageQuery(at(search, places.cursors[index]), pageSize)),
  })
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

function rowOf(page: UseQueryResult<PeoplePage> | undefined, row: number): RowState {
  const user = page?.data?.users[row % pageSize]
  if (user) return { user }
  return page?.isError ? { failure: page.error, retry: () => void page.refetch() } : {}
}

function at(search: PeopleSearch, cursor: string | undefined): PeopleSearch {
  return { ...search, ...(cursor !== undefined && { cursor }) }
}

/** The people of the rows from one to the other that are in memory. */
export function cachedBetween(search: PeopleSearch, places: Places, [one, other]: readonly [number, number]) {
  const [from, to] = one < other ? [one, other] : [other, one]
  return Array.from({ length: to - from + 1 }, (_, n) => from + n).flatMap((row) => {
    const page = at(search, places.cursors[Math.floor(row / pageSize)])
    const data = queries.getQueryData<PeoplePage>(pageQuery(page, pageSize).queryKey)
    return data?.users[row % pageSize] ?? []
  })
}
