import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { admit, type Standing } from './admission.ts'
import type { Caller } from './caller.ts'
import { callerTables, callerValues } from './caller-sql.ts'

export interface Permission {
  readonly resource: string
  readonly action: string
}

/**
 * Lets the caller pass who has the permission, by role, organisation or plan; answers the id of the account.
 * For operations whose own statement does not ask. Problems: those of `admit`, and `permission_missing`.
 */
export async function requirePermission(rows: Rows, caller: Caller, { resource, action }: Permission): Promise<string> {
  const values = [...callerValues(caller), resource, action]
  const row = await admit(rows, caller, async () => (await rows.query<PermissionRow>(permissionStatement, values))[0])
  if (!row.allowed) refusePermission({ resource, action })
  return row.account_id
}

export function refusePermission({ resource, action }: Permission): never {
  return refuse('permission_missing', { detail: `The permission ${resource}: ${action} is needed.` })
}

interface PermissionRow extends Standing {
  readonly allowed: boolean
}

/** $1 to $4 as in `callerTables`, $5 resource, $6 action. */
const permissionStatement = {
  name: 'permission',
  text: `
with ${callerTables}
select me.id as account_id, me.disabled, me.ended,
       exists (select from granted where resource = $5 and action = $6) as allowed
from me`,
}
