import { type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { isUnchanged } from '../platform/http/etag.ts'
import type { Answers } from './cache.ts'
import { userDataContract } from './contract.ts'
import { createUserData } from './query.ts'

export function userData(rows: Rows, answers: Answers): Operation {
  const readUserData = createUserData(rows, answers)
  return operation(userDataContract, async ({ caller, query, request, reply }) => {
    const { text, etag } = await readUserData(caller, query.orgId)
    reply.headers(userDataHeaders).header('etag', etag)
    if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send()
    return text
  })
}

/** A browser may keep the answer for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4). */
const userDataHeaders = {
  'cache-control': 'private, no-cache',
  'content-type': 'application/json; charset=utf-8',
  vary: 'Authorization',
}
