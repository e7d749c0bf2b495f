import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ActedFor, confinementOf } from '../identity/caller.ts'
import { type JsonText, jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { isUnchanged } from '../platform/http/etag.ts'
import { addVary } from '../platform/http/vary.ts'
import type { CachedResponse, ResponseCache } from './cache.ts'
import { adminUserDataContract, type UserData, userDataContract } from './contract.ts'
import { readDataAsUser, readDataOfUser } from './of-user.ts'
import { createUserData } from './query.ts'

/** Data of the calling user: from the cache at once, otherwise by one statement. Those of another user as whom the caller acts: never from it. */
export function userData(rows: Rows, cache: ResponseCache): Operation<typeof userDataContract> {
  const readUserData = createUserData(rows, cache)
  return operation(userDataContract, ({ caller, query, request, reply }) => {
    if (caller.kind === 'acted') return answerActing(rows, caller, { query, reply })
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

/**
 * No cache keeps it, and it has no tag: a caller's own answer must never be taken for that of a user as whom they have acted, nor the
 * other way round.
 */
async function answerActing(
  rows: Rows,
  { accountId }: ActedFor,
  {
    query,
    reply,
  }: { readonly query: { readonly orgId?: string; readonly details?: boolean }; readonly reply: FastifyReply },
): Promise<JsonText<UserData>> {
  addVary(reply, varying)
  return jsonText(reply, await readDataAsUser(rows, accountId, { orgId: query.orgId, hasDetails: query.details }))
}

/** Both say whose data the answer has. */
const varying = 'Authorization, Act-As'

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag }: CachedResponse,
): JsonText<UserData> | undefined {
  // A browser may keep the response for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4).
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  addVary(reply, varying)
  if (!isUnchanged(request.headers['if-none-match'], etag)) return jsonText(reply, text)
  reply.code(304).send()
  return undefined
}
