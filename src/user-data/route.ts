import type { FastifyReply, FastifyRequest } from 'fastify'
import { confinementOf } from '../identity/caller.ts'
import { type JsonText, jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { isUnchanged } from '../platform/http/etag.ts'
import { addVary } from '../platform/http/vary.ts'
import type { CachedResponse, ResponseCache } from './cache.ts'
import { adminUserDataContract, type UserData, userDataContract } from './contract.ts'
import { readDataOfUser } from './of-user.ts'
import { createUserData } from './query.ts'

/** Data of the calling user: from the cache at once, otherwise by one statement. */
export function userData(rows: Rows, cache: ResponseCache): Operation<typeof userDataContract> {
  const readUserData = createUserData(rows, cache)
  return operation(userDataContract, ({ caller, query, request, reply }) => {
    const response = readUserData(caller, query.orgId, query.details)
    if (response instanceof Promise) return response.then((loaded) => answer(request, reply, loaded))
    return answer(request, reply, response)
  })
}

/** Data of any user, for those who may read it: by one statement, and never from the cache. */
export function userDataOfUser(rows: Rows): Operation<typeof adminUserDataContract> {
  return operation(adminUserDataContract, async ({ caller, params, query, request, reply }) => {
    const asked = { userId: params.userId, orgId: query.orgId, within: confinementOf(caller) }
    return answer(request, reply, await readDataOfUser(rows, asked))
  })
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: CachedResponse,
): JsonText<UserData> | undefined {
  // A browser may keep the response for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4).
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  addVary(reply, 'Authorization')
  if (!isUnchanged(request.headers['if-none-match'], etag)) return jsonText(reply, text)
  reply.code(304).send()
  return undefined
}
