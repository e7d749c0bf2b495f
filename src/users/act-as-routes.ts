import { lockAdministration } from '../identity/administrators.ts'
import { authorize } from '../identity/authorize.ts'
import { type Input, operations } from '../identity/operation.ts'
import { requireHolds } from '../identity/require-holds.ts'
import { type AuditOrigin, originOfRequest, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { type ActAs, actAsContracts, actAsSeconds } from './act-as-contract.ts'

/** Starting and stopping. The reads in between are the user's own operations. */
export function actAs(database: Database) {
  return operations(actAsContracts, {
    start: (input) => startActAs(database, requestOf(input), input.body.reason),
    end: (input) => endActAs(database, requestOf(input)),
  })
}

type Asked = Pick<Input<typeof actAsContracts.end>, 'caller' | 'params' | 'request'>

function requestOf({ caller, params, request }: Asked): ActAsRequest {
  return { caller, userId: params.userId, origin: originOfRequest(request) }
}

interface ActAsRequest {
  readonly caller: UserCaller
  readonly userId: string
  readonly origin: AuditOrigin
}

/**
 * Lets the caller read as this user, in this session only, instead of any previous user. Takes the administration lock,
 * so that neither account is disabled meanwhile.
 * Problems: those of `authorize`, `user_unknown`, `user_disabled`, `permission_exceeds`.
 */
function startActAs(database: Database, request: ActAsRequest, reason: string): Promise<ActAs> {
  const { caller, userId, origin } = request
  return database.transaction(async (rows) => {
    await lockAdministration(rows)
    const actorId = await authorize(rows, caller, actAsContracts.start.permission)
    const [user] = await rows.query<{ role: string; disabled: boolean }>(userStatement, [userId])
    if (!user) return refuse('user_unknown')
    if (user.disabled) refuse('user_disabled')
    await requireHolds(rows, actorId, [user.role], 'account')
    await end(rows, actorId, { origin })
    const [started] = await rows.query<{ expires_at: Date }>(startStatement, [actorId, userId, caller.session ?? null])
    if (!started) throw new Error('The insert returned no row.')
    const expiresAt = started.expires_at.toISOString()
    await recordAudit(rows, {
      action: 'act_as.started',
      actorId,
      target: { kind: 'account', id: userId },
      ...origin,
      details: { reason, expiresAt },
    })
    return { userId, expiresAt }
  })
}

/** Problems: those of `authorize`. */
function endActAs(database: Database, { caller, userId, origin }: ActAsRequest): Promise<void> {
  return database.transaction(async (rows) => {
    const actorId = await authorize(rows, caller, actAsContracts.end.permission)
    await end(rows, actorId, { userId, origin })
  })
}

/** `userId`: only this user. Records nothing for entries that have already expired. */
async function end(
  rows: Rows,
  actorId: string,
  { userId, origin }: { readonly userId?: string; readonly origin: AuditOrigin },
): Promise<void> {
  const ended = await rows.query<{ account_id: string; was_open: boolean }>(endStatement, [actorId, userId ?? null])
  for (const { account_id: id, was_open: wasOpen } of ended)
    if (wasOpen)
      await recordAudit(rows, { action: 'act_as.ended', actorId, target: { kind: 'account', id }, ...origin })
}

const userStatement = {
  name: 'act_as_user',
  text: 'select role_id as role, disabled_at is not null as disabled from account where id = $1',
}

const startStatement = {
  name: 'act_as_start',
  text: `
insert into act_as (actor_id, account_id, session, expires_at)
values ($1, $2, $3, now() + interval '${actAsSeconds} seconds')
returning expires_at`,
}

/** $1 actor, $2 user or null. */
const endStatement = {
  name: 'act_as_end',
  text: `
delete from act_as where actor_id = $1 and ($2::uuid is null or account_id = $2)
returning account_id, expires_at > now() as was_open`,
}
