import { isProblem, type Problem, UnexpectedAnswerError, unwrap } from '@muster/client'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'

/** The service lets an administrator act as a user for so long at most. */
export const actAsMs = 900_000

/** When it ends, of what this page has started. */
const endsAtMs = new Map<string, number>()

export const seenKey = (userId: string) => ['act-as', userId]

export async function startActAs(userId: string, reason: string): Promise<void> {
  const params = { path: { userId } }
  const { expiresAt } = await withStepUp(() =>
    unwrap(muster.POST('/api/v1/admin/users/{userId}/act-as', { params, body: { reason } })),
  )
  queries.removeQueries({ queryKey: seenKey(userId) })
  endsAtMs.set(userId, Date.parse(expiresAt))
}

export async function endActAs(userId: string): Promise<void> {
  await unwrap(muster.DELETE('/api/v1/admin/users/{userId}/act-as', { params: { path: { userId } } }))
  endsAtMs.delete(userId)
}

/** Milliseconds since 1970. Not known after a reload. */
export function endOfActAs(userId: string): number | undefined {
  return endsAtMs.get(userId)
}

export function forgetSeen(userId: string): void {
  endsAtMs.delete(userId)
  queries.removeQueries({ queryKey: seenKey(userId) })
}

/** What the user reads of their own. What belongs to the built-in issuer is absent where the service has none. */
export async function readSeen(userId: string, signal: AbortSignal) {
  const options = { params: { header: { 'Act-As': userId } }, signal }
  const data = await acted(muster.GET('/api/v1/user/data', options))
  const [{ orgs }, account, factors, sessions, devices] = await Promise.all([
    acted(muster.GET('/api/v1/orgs', options)),
    ifServed(acted(muster.GET('/auth/account', options))),
    ifServed(acted(muster.GET('/auth/factors', options))),
    ifServed(acted(muster.GET('/auth/sessions', options))),
    ifServed(acted(muster.GET('/auth/devices', options))),
  ])
  return { data, orgs, account, factors, sessions, devices }
}

export type Seen = Awaited<ReturnType<typeof readSeen>>

type Answered<Data> = ({ data: Data; error?: never } | { data?: never; error: Problem }) & {
  response: Response
}

/** An answer without the mark is that of the caller's own: from a node of an older release, or past a proxy that drops headers. */
async function acted<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const answer = await call
  const data = await unwrap(answer)
  if (!answer.response.headers.has('Acted-By')) throw new UnexpectedAnswerError(answer.response)
  return data
}

async function ifServed<Data>(read: Promise<Data>): Promise<Data | undefined> {
  try {
    return await read
  } catch (error) {
    if (isProblem(error, 'route_unknown')) return undefined
    throw error
  }
}
