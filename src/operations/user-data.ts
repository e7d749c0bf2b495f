import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { Gate } from '../access/gate.ts'
import type { ReadLimit, ReadWindow } from '../access/read-limit.ts'
import type { Answers, Place } from '../accounts/answers.ts'
import { isUnchanged } from '../accounts/etag.ts'
import { createUserData, userDataKey } from '../accounts/user-data.ts'
import { userDataContract } from '../contract/user-data.ts'
import type { Rows } from '../database/database.ts'
import { type Operation, operation } from '../server/operation.ts'
import type { PlainHeaders, ReadyAnswer, Shortcut } from '../server/shortcut.ts'

export function userData(rows: Rows, answers: Answers): Operation {
  const readUserData = createUserData(rows, answers)
  return operation(userDataContract, async ({ caller, query, request, reply }) => {
    const { text, etag } = await readUserData(caller, query.orgId)
    reply.headers(userDataHeaders).header('etag', etag)
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send()
    return text
  })
}

/** The same for a caller whose token and answer are both at hand: no waiting, no framework. */
export function userDataAtOnce({ gate, readLimit, answers }: AtOnceParts): Shortcut {
  // Of callers met before: two look-ups less.
  const known = new WeakMap<Caller, Known>()

  function take({ place, window }: Known) {
    const answer = answers.at(place)
    const limit = answer && readLimit.takeIn(window)
    return limit && { answer, limit }
  }

  function takeFor(caller: Caller) {
    const last = known.get(caller)
    const taken = last && take(last)
    if (taken) return taken
    const place = answers.find(userDataKey(caller))
    if (!place) return undefined
    const found = { place, window: readLimit.windowOf(caller) }
    known.set(caller, found)
    return take(found)
  }

  function find(
    { method, url }: IncomingMessage,
    { authorization, ifNoneMatch }: PlainHeaders,
  ): ReadyAnswer | undefined {
    if (url !== userDataContract.path || method !== 'GET' || authorization === undefined) return undefined
    const caller = gate.recognise(authorization)
    const taken = caller && takeFor(caller)
    if (!taken) return undefined
    const { etag, text, bytes } = taken.answer
    const own = ['etag', etag, 'ratelimit-policy', taken.limit['ratelimit-policy'], 'ratelimit', taken.limit.ratelimit]
    return isUnchanged(ifNoneMatch, etag) ? { status: 304, own } : { status: 200, own, text, bytes }
  }

  return { operation: userDataContract.id, headers: userDataHeaders, find }
}

/** Where a caller's answer is kept, and where their reads are counted. */
interface Known {
  readonly place: Place
  readonly window: ReadWindow
}

export interface AtOnceParts {
  readonly gate: Gate
  readonly readLimit: ReadLimit
  readonly answers: Answers
}

/** A browser may keep the answer for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4). */
const userDataHeaders = {
  'cache-control': 'private, no-cache',
  'content-type': 'application/json; charset=utf-8',
  vary: 'Authorization',
}
