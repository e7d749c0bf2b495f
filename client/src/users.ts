import type { Operations, Schemas } from './api.ts'
import type { Calls } from './call.ts'
import { unwrap } from './problems.ts'

export type User = Schemas['User']

export interface UsersOptions {
  readonly signal?: AbortSignal
}

/** The filters and the order of the list. */
export type UsersQuery = Omit<
  NonNullable<NonNullable<Operations['GET /api/v1/admin/users/fetch']['input']['params']>['query']>,
  'cursor' | 'limit' | 'count'
>

const path = '/api/v1/admin/users/fetch'

/**
 * Every user, page by page. A user who stays in the list meanwhile is seen once, whatever else changes. In the order of addresses that
 * holds while the own address stays the same.
 */
export async function* eachUser(
  client: Pick<Calls, 'GET'>,
  query: UsersQuery & { readonly limit?: number } = {},
  options: UsersOptions = {},
): AsyncGenerator<User, void, void> {
  let position: { cursor?: string } = {}
  do {
    const answer = await client.GET(path, { params: { query: { limit: pageSize, ...query, ...position } }, ...options })
    const { users } = await unwrap(answer)
    yield* users
    position = nextPosition(answer.response)
  } while (position.cursor !== undefined)
}

const pageSize = 500

/** Every user of one snapshot of the database, in one answer that is read while it arrives. An answer that breaks off throws. */
export async function* streamUsers(
  client: Pick<Calls, 'GET'>,
  query: UsersQuery = {},
  options: UsersOptions = {},
): AsyncGenerator<User, void, void> {
  const headers = { Accept: 'application/x-ndjson' }
  const body = await unwrap(client.GET(path, { params: { query }, headers, parseAs: 'stream', ...options }))
  if (!body) return
  for await (const line of linesOf(body)) {
    const user: User = JSON.parse(line)
    yield user
  }
}

/** RFC 8288: the link `next`, which the last page has not. */
function nextPosition({ headers }: Response): { cursor?: string } {
  const [, target] = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  const cursor = target === undefined ? null : new URL(target, 'http://page').searchParams.get('cursor')
  return cursor === null ? {} : { cursor }
}

/** Lines that end; a rest without an end means that the answer was cut. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let isDone = false
  try {
    while (!isDone) {
      const { done, value } = await reader.read()
      isDone = done
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') throw new Error('The list of users broke off within a line.')
  } finally {
    if (!isDone) await reader.cancel()
  }
}
