import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { Gate } from '../access/gate.ts'
import type { ReadLimit } from '../access/read-limit.ts'
import type { Answers, KeptAnswer, Place } from '../accounts/answers.ts'
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
    if (request.headers['if-none-match'] === etag) return reply.code(304).removeHeader('content-type').send()
    return text
  })
}

/** The same for a caller whose token and answer are both at hand: no waiting, no framework. */
export function userDataAtOnce({ gate, readLimit, answers }: AtOnceParts): Shortcut {
  // Where their answer was kept when they called last.
  const places = new WeakMap<Caller, Place>()

  function answerFor(caller: Caller): KeptAnswer | undefined {
    const known = places.get(caller)
    const answer = known && answers.at(known)
    if (answer) return answer
    const place = answers.find(userDataKey(caller))
    if (!place) return undefined
    places.set(caller, place)
    return answers.at(place)
  }

  function find(
    { method, url }: IncomingMessage,
    { authorization, ifNoneMatch }: PlainHeaders,
  ): ReadyAnswer | undefined {
    if (url !== userDataContract.path || method !== 'GET' || authorization === undefined) return undefined
    const caller = gate.recognise(authorization)
    const answer = caller && answerFor(caller)
    const limit = answer && readLimit.takeIfRoom(caller)
    if (!limit) return undefined
    const { etag, text, bytes } = answer
    const own = ['etag', etag, 'ratelimit-policy', limit['ratelimit-policy'], 'ratelimit', limit.ratelimit]
    return ifNoneMatch === etag ? { status: 304, own } : { status: 200, own, text, bytes }
  }

  return { operation: userDataContract.id, headers: userDataHeaders, find }
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
