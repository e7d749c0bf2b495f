import type { FastifyRequest } from 'fastify'
import { route } from '../identity/mount.ts'
import { type Operation, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { type ActAsRequest, endActAs, startActAs } from './act-as.ts'
import { actAsEndContract, actAsStartContract } from './act-as-contract.ts'

/** Starting and stopping. The reads in between are the user's own operations. */
export function actAsTable(database: Database): readonly Operation[] {
  return [
    route(
      'POST /api/v1/admin/users/{userId}/act-as',
      'users:act_as',
      operation(actAsStartContract, async (input) => startActAs(database, requestOf(input), input.body.reason)),
    ),
    route(
      'DELETE /api/v1/admin/users/{userId}/act-as',
      'users:act_as',
      operation(actAsEndContract, async (input) => endActAs(database, requestOf(input))),
    ),
  ]
}

interface Input {
  readonly caller: UserCaller
  readonly params: { readonly userId: string }
  readonly request: FastifyRequest
}

function requestOf({ caller, params, request }: Input): ActAsRequest {
  return { caller, userId: params.userId, origin: originOfRequest(request) }
}
