import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOfRequest, recordAudit } from '../platform/audit/audit.ts'
import type { Rows } from '../platform/database/database.ts'
import type { ActingCaller, UserCaller } from '../platform/http/caller.ts'
import { actAsHeader, actedByHeader } from '../platform/http/contract.ts'
import { uuidPattern } from '../platform/http/formats.ts'
import { refuse } from '../platform/problems.ts'
import { authorize } from './authorize.ts'
import { requireHolds } from './require-holds.ts'

/** The permission to act as a user. */
const actAsPermission = 'users:act_as'

/**
 * The user as whom the caller acts. Checked in the database on every request: the caller's permission, that this
 * session started acting as the user, that the time is not over, and that the user's role grants no more than the
 * caller's. Records each use and adds the response header.
 * Problems: those of `authorize`, `input_invalid`, `act_as_ended`, `permission_exceeds`.
 */
export async function actAsUser(
  rows: Rows,
  caller: UserCaller,
  {
    request,
    reply,
    operation,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly operation: string },
): Promise<ActingCaller> {
  const accountId = requestedUser(request)
  const actorId = await authorize(rows, caller, actAsPermission)
  const operator = { ...caller, accountId: actorId }
  request.caller = operator
  const [row] = await rows.query<{ role: string }>(openStatement, [actorId, accountId, caller.session ?? null])
  const { role } = row ?? refuse('act_as_ended')
  await requireHolds(rows, actorId, [role], 'account')
  await recordAudit(rows, {
    action: 'act_as.used',
    actorId,
    target: { kind: 'account', id: accountId },
    ...originOfRequest(request),
    details: { operation },
  })
  reply.header(actedByHeader, actorId)
  return { kind: 'acting', key: caller.key, operator, accountId }
}

function requestedUser({ headers }: FastifyRequest): string {
  const value = headers[actAsHeader]
  if (typeof value === 'string' && uuidPattern.test(value)) return value
  return refuse('input_invalid', {
    errors: [{ parameter: 'Act-As', detail: 'must be the id of one user: a UUID in lower case' }],
    detail: 'See `errors` for every invalid value.',
  })
}

/** $1 actor, $2 user, $3 session of the actor. */
const openStatement = {
  name: 'act_as_open',
  text: `
select a.role_id as role
from act_as x join account a on a.id = x.account_id
where x.actor_id = $1 and x.account_id = $2 and x.session is not distinct from $3 and x.expires_at > now()`,
}
