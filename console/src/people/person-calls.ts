import { isProblem, type Schemas, unwrap } from '@muster/client'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'

export type UserRecord = Schemas['UserRecord']

/** A person as read, with the tag that a change names so that it changes nothing that was not seen. */
export interface SeenPerson {
  readonly user: UserRecord
  readonly etag: string
}

export const personKey = (userId: string) => ['person', userId]

export async function readPerson(userId: string, signal?: AbortSignal): Promise<SeenPerson> {
  const params = { path: { userId } }
  const answer = await muster.GET('/api/v1/admin/users/{userId}', { params, ...(signal && { signal }) })
  return { user: await unwrap(answer), etag: answer.response.headers.get('ETag') ?? '' }
}

/** The person was changed since they were read. */
export class ChangedMeanwhile extends Error {
  readonly before: UserRecord
  readonly now: UserRecord

  constructor(before: UserRecord, now: UserRecord) {
    super('The person was changed meanwhile.')
    this.before = before
    this.now = now
  }
}

type Change = (options: {
  readonly params: { readonly path: { readonly userId: string } }
  readonly headers: { readonly 'If-Match': string }
}) => Promise<unknown>

/** Makes one change to the person as seen, and reads the person again. Throws `ChangedMeanwhile` where there is another version by now. */
export async function change(seen: SeenPerson, call: Change): Promise<void> {
  await changeOnly(seen, call)
  await readAgain(seen.user.id)
}

/** The same, for one of many: the caller reads again when all are done. */
export async function changeOnly({ user, etag }: SeenPerson, call: Change): Promise<void> {
  const options = { params: { path: { userId: user.id } }, headers: { 'If-Match': etag } }
  try {
    await withStepUp(() => call(options))
  } catch (error) {
    if (!isProblem(error, 'precondition_failed')) throw error
    const now = await readPerson(user.id)
    queries.setQueryData(personKey(user.id), now)
    throw new ChangedMeanwhile(user, now.user)
  }
}

export async function readAgain(...userIds: readonly string[]): Promise<void> {
  const changed = [['people'], ['audit'], ...userIds.map(personKey)]
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })))
}

export const disable = (seen: SeenPerson, make = change) =>
  make(seen, (options) => unwrap(muster.POST('/api/v1/admin/users/{userId}/disable', options)))

export const enable = (seen: SeenPerson, make = change) =>
  make(seen, (options) => unwrap(muster.POST('/api/v1/admin/users/{userId}/enable', options)))

export const changeRole = (seen: SeenPerson, role: string, make = change) =>
  make(seen, (options) => unwrap(muster.PUT('/api/v1/admin/users/{userId}/role', { ...options, body: { role } })))

export const erase = (seen: SeenPerson) =>
  change(seen, (options) =>
    unwrap(muster.DELETE('/api/v1/admin/users/{userId}', { ...options, body: { immediately: false } })),
  )

/** The link to hand over, or nothing where it was mailed. */
export async function giveRecoveryLink(seen: SeenPerson): Promise<string | undefined> {
  let link: string | undefined
  await change(seen, async (options) => {
    const body = { resetFactors: false }
    const answer = await unwrap(muster.POST('/api/v1/admin/users/{userId}/recovery', { ...options, body }))
    link = 'link' in answer ? answer.link : undefined
  })
  return link
}

/** How many were open. */
export async function endSessions({ id: userId }: Pick<UserRecord, 'id'>): Promise<number> {
  const { ended } = await withStepUp(() =>
    unwrap(muster.DELETE('/api/v1/admin/users/{userId}/sessions', { params: { path: { userId } } })),
  )
  await queries.invalidateQueries({ queryKey: personKey(userId) })
  return ended
}
