import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import { organizationContracts } from './contract.ts'
import { changeOrganization, type MembershipRequest } from './membership.ts'

export interface Security {
  readonly requiresMfa: boolean
}

/** Problem: `organization_unknown`. */
export async function readSecurity(rows: Rows, organizationId: string): Promise<Security> {
  const [security] = await rows.query<Security>(readStatement, [organizationId])
  return security ?? refuse('organization_unknown')
}

/** Sets whether the organization requires a second factor. Idempotent. Problems: those of `authorize`. */
export function changeSecurity(
  database: Database,
  request: MembershipRequest,
  requiresMfa: boolean,
): Promise<Security> {
  const { organizationId: id, origin } = request
  return changeOrganization(
    database,
    request,
    organizationContracts.changeSecurity.permission,
    async (rows, actorId) => {
      const changed = await rows.query(changeStatement, [id, requiresMfa])
      const target = { kind: 'organization', id } as const
      const details = { requiresMfa }
      if (changed.length > 0)
        await recordAudit(rows, { action: 'organization.mfa_changed', actorId, target, ...origin, details })
      return { requiresMfa }
    },
  )
}

const readStatement = {
  name: 'organization_security',
  text: 'select requires_mfa as "requiresMfa" from organization where id = $1',
}

const changeStatement = {
  name: 'organization_security_change',
  text: 'update organization set requires_mfa = $2 where id = $1 and requires_mfa <> $2 returning id',
}
