import type { AuditOrigin } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { admit, type Standing } from './admission.ts'
import type { Caller } from './caller.ts'
import { callerTables, callerValues } from './caller-sql.ts'
import { refusePermission } from './permissions.ts'

/** Who asks for something in which organisation, and from where. */
export interface SeatRequest {
  readonly caller: Caller
  readonly organizationId: string
  readonly origin: AuditOrigin
}

/** What a member may do in an organisation by the role that they have in it, and by nothing else: resource `organization`. */
export type SeatAction = 'read' | 'manage'

/**
 * Lets a member pass whose role in this very organisation grants the action; answers the id of the account. Who is no member gets
 * the answer of an organisation that does not exist. `undefined` asks for membership alone.
 * Problems: those of `admit`, `organization_unknown`, `permission_missing`.
 */
export async function requireSeat(
  rows: Rows,
  caller: Caller,
  organizationId: string,
  action: SeatAction | undefined,
): Promise<string> {
  const values = [...callerValues(caller, organizationId), action ?? null]
  const row = await admit(rows, caller, async () => (await rows.query<SeatRow>(seatStatement, values))[0])
  if (!row.is_member) refuse('organization_unknown')
  if (action !== undefined && !row.allowed) refusePermission({ resource: 'organization', action })
  return row.account_id
}

/**
 * Does `work` for a caller who may. Changes of one organisation happen one after the other: of two owners who remove each other
 * at the same moment, the second is no owner any more when it is their turn.
 */
export function inOrganization<Result>(
  database: Database,
  { caller, organizationId }: SeatRequest,
  action: SeatAction | undefined,
  work: (rows: Rows, accountId: string) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (rows) => {
    await lockOrganization(rows, organizationId)
    return work(rows, await requireSeat(rows, caller, organizationId, action))
  })
}

/** Waits for whoever else changes this organisation, and keeps it until the transaction ends. */
export async function lockOrganization(rows: Rows, organizationId: string): Promise<void> {
  await rows.query(lockStatement, [organizationId])
}

/**
 * Refuses to leave an organisation without anybody who may manage it. `before` is the role of the member that changed: where it
 * managed nothing, nothing was lost. Problem: `last_owner`.
 */
export async function requireManager(rows: Rows, organizationId: string, before: string): Promise<void> {
  const [row] = await rows.query<{ managed: boolean; left: boolean }>(managersStatement, [organizationId, before])
  if (row?.managed && !row.left) refuse('last_owner', { detail: 'Make somebody else an owner first.' })
}

interface SeatRow extends Standing {
  readonly is_member: boolean
  readonly allowed: boolean
}

/** $1 to $4 as in `callerTables`, $5 the action. */
const seatStatement = {
  name: 'seat',
  text: `
with ${callerTables}
select me.id as account_id, me.disabled, me.ended,
       exists (select from home) as is_member,
       exists (select from home join role_grant g using (role_id)
               where g.resource = 'organization' and g.action = $5) as allowed
from me`,
}

const lockStatement = { name: 'organization_lock', text: 'select from organization where id = $1 for no key update' }

const managersStatement = {
  name: 'organization_managers',
  text: `
with managing as (select role_id from role_grant where resource = 'organization' and action = 'manage')
select $2 in (select role_id from managing) as managed,
       exists (select from membership m
               join managing using (role_id)
               join account a on a.id = m.account_id and a.disabled_at is null
               where m.organization_id = $1) as "left"`,
}
