import type { FastifyReply, FastifyRequest } from 'fastify'
import { type JsonText, jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { addVary } from '../platform/http/accept.ts'
import { onlyOrganizationOf } from '../platform/http/caller.ts'
import { etagOf, matchesEtag } from '../platform/http/etag.ts'
import { adminUserDataContract, type UserData, userDataContract } from './contract.ts'
import { createUserData, readDataAsUser, readDataOfUser } from './query.ts'

/** Data of the calling user, or of the user as whom the caller acts. */
export function userData(rows: Rows): Operation<typeof userDataContract> {
  const readUserData = createUserData(rows)
  return operation(userDataContract, async ({ caller, query, request, reply }) => {
    if (caller.kind !== 'acting') return answer(request, reply, await readUserData(caller, query))
    // It has no tag: a browser must never take a caller's own answer for that of a user as whom they have acted, nor the other way round.
    addVary(reply, varying)
    return jsonText(reply, await readDataAsUser(rows, caller.accountId, query))
  })
}

/** Data of any user, for those who may read it. */
export function userDataOfUser(rows: Rows): Operation<typeof adminUserDataContract> {
  return operation(adminUserDataContract, async ({ caller, params, query, request, reply }) => {
    const asked = { orgId: query.orgId, within: onlyOrganizationOf(caller) }
    return answer(request, reply, await readDataOfUser(rows, params.userId, asked))
  })
}

/** Both say whose data the answer has. */
const varying = 'Authorization, Act-As'

function answer(request: FastifyRequest, reply: FastifyReply, text: string): JsonText<UserData> | undefined {
  const etag = etagOf(text)
  // A browser may keep the response for itself, and must ask each time whether it still holds (RFC 9111 §5.2.2.4).
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  addVary(reply, varying)
  if (!matchesEtag(request.headers['if-none-match'], etag)) return jsonText(reply, text)
  reply.code(304).send()
  return undefined
}
