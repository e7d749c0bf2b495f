import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import type { Needs, Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'
import { type AccountRow, type CallerValues, callerReader, callerValues, requireAccount } from './account.ts'
import { acrOf, type Level, requireLevel } from './level.ts'
import { type Source, sourcesOf } from './permissions.ts'
import { withRules } from './rules.ts'

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
 * Checks that the caller has a permission and answers the id of the account. An operation that changes what permissions depend on calls
 * it under its lock.
 * Problems: those of `requireAccount`, `organization_unknown` for an organisation of which the caller is no member,
 * `permission_missing`, `step_up_required`.
 */
export async function authorize(
  rows: Rows,
  caller: UserCaller,
  permission: Permission,
  options?: AuthorizeOptions,
): Promise<string> {
  return check(rows, (values) => callers.readOne(rows, values), { caller, permission, ...options })
}

/** The same for the gate, which asks for every operation that names a permission, before the body is read. */
export type Authorize = (caller: UserCaller, permission: Permission, options?: AuthorizeOptions) => Promise<string>

export function createAuthorize(rows: Rows): Authorize {
  const read = callers.inBatches(rows)
  return (caller, permission, options) => check(rows, read, { caller, permission, ...options })
}

interface Asked extends AuthorizeOptions {
  readonly caller: UserCaller
  readonly permission: Permission
}

async function check(
  rows: Rows,
  read: (values: CallerValues) => Promise<Row | undefined>,
  { caller, permission, organizationId, needs, withInitialPassword }: Asked,
): Promise<string> {
  const { grant, isInOrganization } = readPermission(permission)
  const values = callerValues(caller, organizationId)
  const { row, rules } = await withRules(rows, () =>
    requireAccount(rows, caller, () => read(values), { withInitialPassword }),
  )
  const { account_id: accountId } = row
  if (isInOrganization && row.organization_id === null) refuse('organization_unknown', { accountId })
  if (grant) requireGrant(grant, sourcesOf(row, rules), { accountId, isInOrganization })
  if (needs) requireLevel(needs, levelOf(row, caller), accountId)
  return accountId
}

/**
 * The permission of an operation on an organization counts from the role in it and from nowhere else. What a second factor would allow is
 * refused as a step, and not for good.
 */
export function requireGrant(
  grant: Grant,
  sources: readonly Source[],
  { accountId, isInOrganization }: { readonly accountId: string; readonly isInOrganization: boolean },
): void {
  const wanted = `${grant.resource}:${grant.action}`
  const granting = sources.filter(
    ({ grants, isMembership }) => grants.has(wanted) && (isMembership || !isInOrganization),
  )
  if (granting.some(({ isWithheld }) => !isWithheld)) return
  if (granting.length > 0) refuseWithheld(accountId)
  refusePermission(grant, accountId)
}

/** Problem: `step_up_required`, for a permission that counts only with a second factor. */
function refuseWithheld(accountId: string): never {
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
  if (permission === 'caller') return { isInOrganization: false }
  if (permission === 'member in {orgId}') return { isInOrganization: true }
  const [, resource, action, place] = form.exec(permission) ?? []
  if (resource === undefined || action === undefined) throw new Error(`${permission} is not a permission.`)
  return { grant: { resource, action }, isInOrganization: place !== undefined }
}

const form = /^([a-z][a-z0-9_]*):([a-z][a-z0-9_]*)( in \{orgId\})?$/

interface Row extends AccountRow {
  /** When the session proved who the user is, and the time of the database: milliseconds since 1970. */
  readonly proved_at_ms: number | null
  readonly now_ms: number
  readonly has_factor: boolean
}

const callers = callerReader<Row>(
  'authorize',
  `,
       (extract(epoch from s.proved_at) * 1000)::float8 as proved_at_ms,
       (extract(epoch from now()) * 1000)::float8 as now_ms,
       exists (select from second_factor f where f.account_id = a.id) as has_factor`,
)

/** The level of a session of another issuer is in its token. */
function levelOf({ aal, proved_at_ms, now_ms, has_factor }: Row, { authenticatedAtMs }: UserCaller): Level {
  const provedAtMs = proved_at_ms ?? authenticatedAtMs
  return { aal, age_seconds: provedAtMs === undefined ? null : (now_ms - provedAtMs) / 1_000, has_factor }
}
