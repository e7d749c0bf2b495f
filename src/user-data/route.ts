import type { FastifyReply, FastifyRequest } from 'fastify'
import { type JsonText, jsonText, type Operation, onlyOrganizationOf, operation } from '../identity/operation.ts'
import type { Rows } from '../platform/database/database.ts'
import { addVary, etagOf, matchesEtag } from '../platform/http/negotiation.ts'
import { adminUserDataContract, type UserData, userDataContract } from './contract.ts'
import { createUserData, readDataAsUser, readDataOfUser } from './query.ts'

/** Data of the caller, or of the user as whom the caller acts. */
export function userData(rows: Rows): Operation<typeof userDataContract> {
  const readUserData = createUserData(rows)
  return operation(userDataContract, async ({ caller, query, request, reply }) => {
    if (caller.kind !== 'acting') return answer(request, reply, await readUserData(caller, query))
    // No ETag: a browser must never confuse the caller's own response with that of a user as whom they acted.
    addVary(reply, varying)
    return jsonText(reply, await readDataAsUser(rows, caller.accountId, query))
  })
}

export function userDataOfUser(rows: Rows): Operation<typeof adminUserDataContract> {
  return operation(adminUserDataContract, async ({ caller, params, query, request, reply }) => {
    const options = { orgId: query.orgId, within: onlyOrganizationOf(caller) }
    return answer(request, reply, await readDataOfUser(rows, params.userId, options))
  })
}

/** The response depends on both headers. */
const varying = 'Authorization, Act-As'

function answer(request: FastifyRequest, reply: FastifyReply, text: string): JsonText<UserData> | undefined {
  const etag = etagOf(text)
  // The browser may store the response but must revalidate it each time (RFC 9111 §5.2.2.4).
  reply.header('cache-control', 'private, no-cache').header('etag', etag)
  addVary(reply, varying)
  if (!matchesEtag(request.headers['if-none-match'], etag)) return jsonText(reply, text)
  reply.code(304).send()
  return undefined
}
