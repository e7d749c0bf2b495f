import type { Answers } from '../accounts/answers.ts'
import { readUserData } from '../accounts/user-data.ts'
import { userDataContract } from '../contract/user-data.ts'
import type { Rows } from '../database/database.ts'
import { type Operation, operation } from '../server/operation.ts'

export function userData(rows: Rows, answers: Answers): Operation {
  return operation(userDataContract, async ({ caller, query, request, reply }) => {
    const { bytes, etag } = await readUserData(rows, answers, caller, query.orgId)
    reply.headers({ ...userDataHeaders, etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return bytes
  })
}

/** A browser may keep the answer for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4). */
const userDataHeaders = {
  'cache-control': 'private, no-cache',
  'content-type': 'application/json; charset=utf-8',
  vary: 'Authorization',
}
