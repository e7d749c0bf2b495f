import { type Schemas, unwrap } from '@muster/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import type { DownloadWatch } from '../ui/download.tsx'
import { cursorsOf } from '../ui/links.ts'
import { exportQuery, type PeopleFilters, type PeopleSearch } from './search.ts'

export type ListedUser = Schemas['ListedUser']

export interface PeoplePage {
  readonly users: readonly ListedUser[]
  readonly next?: string
  readonly prev?: string
}

/** One page of a list, at its cursor. A page that no one looks at is dropped after a minute: a long list does not fill the memory. */
export function pageQuery(search: PeopleSearch, limit: number) {
  return queryOptions({
    queryKey: ['people', limit, search],
    queryFn: ({ signal }) => readPage({ ...search, limit }, signal),
    gcTime: 60_000,
  })
}

/** The same, with the page before it shown until it is there. */
export function nextPageQuery(search: PeopleSearch, limit: number) {
  return { ...pageQuery(search, limit), placeholderData: keepPreviousData<PeoplePage> }
}

async function readPage(query: PeopleSearch & { readonly limit: number }, signal: AbortSignal): Promise<PeoplePage> {
  const answer = await muster.GET('/api/v1/admin/users', { params: { query }, signal })
  const { users } = await unwrap(answer)
  return { users, ...cursorsOf(answer.response) }
}

/** The people as the list shows them by now. */
export function asShown(users: readonly ListedUser[]): readonly ListedUser[] {
  const pages = queries.getQueryCache().findAll({ queryKey: ['people'] })
  const read = pages
    .toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
    .flatMap(({ queryKey }) => queries.getQueryData<PeoplePage>(queryKey)?.users ?? [])
  const latest = new Map(read.map((user) => [user.id, user]))
  return users.map((user) => latest.get(user.id) ?? user)
}

/** How many fit. Asked for on request alone: it reads every one of them. */
export async function countPeople(filters: PeopleFilters): Promise<number> {
  const query = { ...exportQuery(filters), limit: 1, count: 'exact' } as const
  const answer = await muster.GET('/api/v1/admin/users/fetch', { params: { query } })
  await unwrap(answer)
  return Number(answer.response.headers.get('Total-Count'))
}

/** The whole list, from one snapshot of the database. Throws where it breaks off. */
export async function downloadPeople(filters: PeopleFilters, { signal, onCount }: DownloadWatch): Promise<Blob> {
  const options = { params: { query: exportQuery(filters) }, headers: { Accept: 'text/csv' }, signal }
  const body = await unwrap(muster.GET('/api/v1/admin/users/fetch', { ...options, parseAs: 'stream' }))
  const chunks: BlobPart[] = []
  // The first line has the names of the columns.
  let rows = -1
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    chunks.push(part.value)
    for (const byte of part.value) if (byte === lineFeed) rows += 1
    onCount(Math.max(0, rows))
  }
  return new Blob(chunks, { type: 'text/csv' })
}

const lineFeed = 10
