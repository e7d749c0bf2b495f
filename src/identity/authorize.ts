import type { Rows } from '../platform/database/database.ts'
import type { Needs, Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'
import { type AccountState, callerTables, callerValues, requireAccount } from './account.ts'
import type { Caller } from './caller.ts'
import { acrOf, type Level, requireLevel } from './level.ts'

/** One right, as `role_grant` and `plan_grant` have it. */
export interface Grant {
  readonly resource: string
  readonly action: string
}

export interface AuthorizeOptions {
  /** The organisation of the path, for permissions `in {orgId}`. */
  readonly organizationId?: string | undefined
  /** What the session must have proved. */
  readonly needs?: Needs | undefined
  /** For what the session of a generated password may do. */
  readonly withInitialPassword?: boolean | undefined
}

/**
 * Checks that the caller has a permission and answers the id of the account. The gate calls it for every operation that asks for
 * one, before the body is read; an operation that changes what permissions depend on calls it again under its lock.
 * Problems: those of `requireAccount`, `organization_unknown` for an organisation of which the caller is no member,
 * `permission_missing`, `step_up_required`.
 */
export async function authorize(
  rows: Rows,
  caller: Caller,
  permission: Permission,
  { organizationId, needs, withInitialPassword }: AuthorizeOptions = {},
): Promise<string> {
  const needed = readPermission(permission)
  const values = [
    ...callerValues(caller, organizationId),
    needed.grant?.resource ?? null,
    needed.grant?.action ?? null,
    caller.authenticatedAtMs === undefined ? null : new Date(caller.authenticatedAtMs),
  ]
  const read = async () => (await rows.query<Row>(authorizeStatement, values))[0]
  const row = await requireAccount(rows, caller, read, { withInitialPassword })
  const { account_id: accountId } = row
  if (needed.isInOrganization && !row.is_member) refuse('organization_unknown', { accountId })
  const isAllowed = needed.isInOrganization ? row.allowed_by_membership : row.allowed
  if (needed.grant && !isAllowed) refuseGrant(needed.grant, row, needed.isInOrganization)
  if (needs) requireLevel(needs, row, accountId)
  return accountId
}

/** What a second factor would allow is refused as a step, and not for good. */
function refuseGrant(grant: Grant, row: Row, isInOrganization: boolean): never {
  const { account_id: accountId } = row
  if (isInOrganization ? row.withheld_by_membership : row.withheld) refuseWithheld(accountId)
  return refusePermission(grant, accountId)
}

/** Problem: `step_up_required`, for a permission that counts only with a second factor. */
export function refuseWithheld(accountId: string): never {
  return refuse('step_up_required', {
    accountId,
    needs: { acrValues: acrOf[2] },
    detail: 'The role or the organisation requires a second factor.',
  })
}

export function refusePermission({ resource, action }: Grant, accountId?: string): never {
  const detail = `The permission ${resource}: ${action} is needed.`
  return refuse('permission_missing', { detail, ...(accountId !== undefined && { accountId }) })
}

interface Needed {
  /** Absent where membership or an account is enough. */
  readonly grant?: Grant
  readonly isInOrganization: boolean
}

/** What the text of a contract's permission asks for. Throws for a text of no known form, which stops the start. */
export function readPermission(permission: Permission): Needed {
  if (permission === 'public' || permission === 'metrics-token') throw new Error(`${permission} asks for no caller.`)
  if (permission === 'caller') return { isInOrganization: false }
  if (permission === 'member in {orgId}') return { isInOrganization: true }
  const [, resource, action, place] = form.exec(permission) ?? []
  if (resource === undefined || action === undefined) throw new Error(`${permission} is not a permission.`)
  return { grant: { resource, action }, isInOrganization: place !== undefined }
}

const form = /^([a-z][a-z0-9_]*):([a-z][a-z0-9_]*)( in \{orgId\})?$/

interface Row extends AccountState, Level {
  readonly is_member: boolean
  /** By the account's role, its role in the current organisation, or a plan. */
  readonly allowed: boolean
  /** By the role in that organisation and by nothing else. */
  readonly allowed_by_membership: boolean
  /** The same, if the session had shown a second factor. */
  readonly withheld: boolean
  readonly withheld_by_membership: boolean
}

/** $1 to $5 as in `callerTables`, $6 resource, $7 action, $8 when another issuer authenticated the user, or null. */
const authorizeStatement = {
  name: 'authorize',
  text: `
with ${callerTables}
select me.id as account_id, me.disabled, me.ended, me.must_change_password,
       exists (select from home) as is_member,
       exists (select from granted where resource = $6 and action = $7) as allowed,
       exists (select from given where resource = $6 and action = $7 and by_membership and not is_withheld) as allowed_by_membership,
       exists (select from given where resource = $6 and action = $7 and is_withheld) as withheld,
       exists (select from given where resource = $6 and action = $7 and by_membership and is_withheld) as withheld_by_membership,
       me.aal,
       extract(epoch from now() - coalesce(me.proved_at, $8::timestamptz))::float8 as age_seconds,
       exists (select from second_factor f where f.account_id = me.id) as has_factor
from me`,
}
