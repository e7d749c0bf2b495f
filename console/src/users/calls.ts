import { isProblem, type Schemas, unwrap } from '@muster/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import type { DownloadWatch } from '../ui/download.tsx'
import { cursorsOf } from '../ui/pages.tsx'

export const userStatuses = ['active', 'disabled', 'erasing'] as const
const sorts = ['created', '-created', 'email', '-email'] as const

/** The filters and the order of the list, as the address bar has them. What is not known there is left out. */
export interface UsersSearch {
  readonly q?: string
  readonly status?: (typeof userStatuses)[number]
  readonly role?: string
  readonly administrator?: 'true'
  /** Members of this organisation. */
  readonly orgId?: string
  readonly emailProved?: 'true' | 'false'
  readonly sort?: (typeof sorts)[number]
  /** Of a list that is shown in pages. */
  readonly cursor?: string
}

/** Which users are listed, whatever their order. */
export type UsersFilters = Omit<UsersSearch, 'sort' | 'cursor'>

export function usersSearch(search: Readonly<Record<string, unknown>>): UsersSearch {
  const { q, role, orgId, cursor } = search
  const status = userStatuses.find((known) => known === search.status)
  const sort = sorts.find((known) => known === search.sort)
  // An address that was typed has the word, or the value that the router reads from it.
  const emailProved = (['true', 'false'] as const).find((known) => known === String(search.emailProved))
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(status && { status }),
    ...(typeof role === 'string' && role !== '' && { role }),
    ...(String(search.administrator) === 'true' && { administrator: 'true' }),
    ...(typeof orgId === 'string' && orgId !== '' && { orgId }),
    ...(emailProved && { emailProved }),
    ...(sort && { sort }),
    ...(typeof cursor === 'string' && { cursor }),
  }
}

export type ListedUser = Schemas['ListedUser']

export interface UsersPage {
  readonly users: readonly ListedUser[]
  readonly next?: string
  readonly prev?: string
}

/** One page of a list, at its cursor. A page that no one looks at is dropped after a minute: a long list does not fill the memory. */
export function usersPage(search: UsersSearch, limit: number) {
  return queryOptions({
    queryKey: ['users', limit, search],
    queryFn: ({ signal }) => readPage({ ...search, limit }, signal),
    gcTime: 60_000,
  })
}

/** The same, with the page before it shown until it is there. */
export function nextUsersPage(search: UsersSearch, limit: number) {
  return { ...usersPage(search, limit), placeholderData: keepPreviousData<UsersPage> }
}

async function readPage(query: UsersSearch & { readonly limit: number }, signal: AbortSignal): Promise<UsersPage> {
  const answer = await muster.GET('/api/v1/admin/users', { params: { query }, signal })
  const { users } = await unwrap(answer)
  return { users, ...cursorsOf(answer.response) }
}

/** The users as the list shows them by now. */
export function asShown(users: readonly ListedUser[]): readonly ListedUser[] {
  const pages = queries.getQueryCache().findAll({ queryKey: ['users'] })
  const read = pages
    .toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
    .flatMap(({ queryKey }) => queries.getQueryData<UsersPage>(queryKey)?.users ?? [])
  const latest = new Map(read.map((user) => [user.id, user]))
  return users.map((user) => latest.get(user.id) ?? user)
}

/** How many fit. Asked for on request alone: it reads every one of them. */
export async function countUsers(filters: UsersFilters): Promise<number> {
  const query = { ...filters, limit: 1, count: 'exact' } as const
  const answer = await muster.GET('/api/v1/admin/users/fetch', { params: { query } })
  await unwrap(answer)
  return Number(answer.response.headers.get('Total-Count'))
}

/** The whole list for spreadsheets, from one snapshot of the database. Throws where it breaks off. */
export async function downloadUsers(filters: UsersFilters, { signal, onCount }: DownloadWatch): Promise<Blob> {
  const options = { params: { query: filters }, headers: { Accept: 'text/csv; bom=present' }, signal }
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

export type UserRecord = Schemas['UserRecord']

/** A user as read, with the tag that a change names so that it changes nothing that was not seen. */
export interface UserVersion {
  readonly user: UserRecord
  readonly etag: string
}

export const userKey = (userId: string) => ['user', userId]

export async function readUser(userId: string, signal?: AbortSignal): Promise<UserVersion> {
  const params = { path: { userId } }
  const answer = await muster.GET('/api/v1/admin/users/{userId}', { params, ...(signal && { signal }) })
  return { user: await unwrap(answer), etag: answer.response.headers.get('ETag') ?? '' }
}

/** The user was changed since they were read. */
export class ChangedMeanwhile extends Error {
  readonly before: UserRecord
  readonly now: UserRecord

  constructor(before: UserRecord, now: UserRecord) {
    super('The user was changed meanwhile.')
    this.before = before
    this.now = now
  }
}

type Change = (options: {
  readonly params: { readonly path: { readonly userId: string } }
  readonly headers: { readonly 'If-Match': string }
}) => Promise<unknown>

/** Makes one change to the user as seen, and reads them again. Throws `ChangedMeanwhile` where there is another version by now. */
async function change(seen: UserVersion, call: Change): Promise<void> {
  await changeOnly(seen, call)
  await readUsersAgain(seen.user.id)
}

/** The same, for one of many: the caller reads again when all are done. */
export async function changeOnly({ user, etag }: UserVersion, call: Change): Promise<void> {
  const options = { params: { path: { userId: user.id } }, headers: { 'If-Match': etag } }
  try {
    await withStepUp(() => call(options))
  } catch (error) {
    if (!isProblem(error, 'precondition_failed')) throw error
    const now = await readUser(user.id)
    queries.setQueryData(userKey(user.id), now)
    throw new ChangedMeanwhile(user, now.user)
  }
}

export async function readUsersAgain(...userIds: readonly string[]): Promise<void> {
  const changed = [['users'], ['audit'], ...userIds.map(userKey)]
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export const disableUser = (seen: UserVersion, make = change) =>
  make(seen, (options) => unwrap(muster.POST('/api/v1/admin/users/{userId}/disable', options)))

export const enableUser = (seen: UserVersion, make = change) =>
  make(seen, (options) => unwrap(muster.POST('/api/v1/admin/users/{userId}/enable', options)))

export const changeUserRole = (seen: UserVersion, role: string, make = change) =>
  make(seen, (options) => unwrap(muster.PUT('/api/v1/admin/users/{userId}/role', { ...options, body: { role } })))

export const eraseUser = (seen: UserVersion) =>
  change(seen, (options) =>
    unwrap(muster.DELETE('/api/v1/admin/users/{userId}', { ...options, body: { immediately: false } })),
  )

/** The link to hand over, or nothing where it was mailed. */
export async function giveRecoveryLink(seen: UserVersion): Promise<string | undefined> {
  let link: string | undefined
  await change(seen, async (options) => {
    const body = { resetFactors: false }
    const answer = await unwrap(muster.POST('/api/v1/admin/users/{userId}/recovery', { ...options, body }))
    link = 'link' in answer ? answer.link : undefined
  })
  return link
}

/** How many were open. */
export async function endUserSessions({ id: userId }: Pick<UserRecord, 'id'>): Promise<number> {
  const { ended } = await withStepUp(() =>
    unwrap(muster.DELETE('/api/v1/admin/users/{userId}/sessions', { params: { path: { userId } } })),
  )
  await queries.invalidateQueries({ queryKey: userKey(userId) })
  return ended
}
