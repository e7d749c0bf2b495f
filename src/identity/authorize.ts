import type { Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import type { Needs, Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'
import { type AccountRow, type CallerValues, callerReader, callerValues, requireAccount } from './account.ts'
import { acrOf, type Level, requireLevel } from './level.ts'
import type { Grant } from './permission-scope.ts'
import { type Source, sourcesOf, withRules } from './permissions.ts'

interface AuthorizeOptions {
  /** The organization that the request names. Default: the current one. */
  readonly organizationId?: string | undefined
  /** The required level of the session. */
  readonly needs?: Needs | undefined
  /** Whether a session opened with a generated password may do this. */
  readonly withInitialPassword?: boolean | undefined
}

/**
 * Checks that the caller has a permission and returns the account id. Operations that change roles or memberships call
 * it again under their lock.
 * Problems: those of `requireAccount`, `organization_unknown` if the caller is not a member of the named organization,
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

/** `authorize` for the gate, which calls it before the body is read. Batches concurrent requests. */
export type Authorize = (caller: UserCaller, permission: Permission, options?: AuthorizeOptions) => Promise<string>

export function createAuthorize(rows: Rows): Authorize {
  const read = callers.inBatches(rows)
  return (caller, permission, options) => check(rows, read, { caller, permission, ...options })
}

interface Check extends AuthorizeOptions {
  readonly caller: UserCaller
  readonly permission: Permission
}

async function check(
  rows: Rows,
  read: (values: CallerValues) => Promise<Row | undefined>,
  { caller, permission, organizationId, needs, withInitialPassword }: Check,
): Promise<string> {
  const { grant, isInOrganization } = readPermission(permission)
  const values = callerValues(caller, organizationId)
  const { row, rules } = await withRules(rows, () =>
    requireAccount(rows, caller, () => read(values), { withInitialPassword }),
  )
  const { account_id: accountId } = row
  if (organizationId !== undefined && row.organization_id === null) refuse('organization_unknown', { accountId })
  if (grant) requireGrant(grant, sourcesOf(row, rules), { accountId, isInOrganization })
  if (needs) requireLevel(needs, levelOf(row, caller), accountId)
  return accountId
}

/**
 * In an organization, only the role of the member counts. A permission that a second factor would grant is rejected
 * with `step_up_required` instead of `permission_missing`.
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

function refuseWithheld(accountId: string): never {
  return refuse('step_up_required', {
    accountId,
    needs: { acrValues: acrOf[2] },
    detail: 'The role or the organization requires a second factor.',
  })
}

export function refusePermission({ resource, action }: Grant, accountId?: string): never {
  const detail = `The permission ${resource}:${action} is required.`
  return refuse('permission_missing', { detail, ...(accountId !== undefined && { accountId }) })
}

interface RequiredGrant {
  /** Absent if an account or a membership is enough. */
  readonly grant?: Grant
  readonly isInOrganization: boolean
}

/** Parses the `permission` of a contract. Throws for an unknown form, so that the service does not start. */
export function readPermission(permission: Permission): RequiredGrant {
  if (permission === 'caller') return { isInOrganization: false }
  if (permission === 'member in {orgId}') return { isInOrganization: true }
  const [, resource, action, scope] = form.exec(permission) ?? []
  if (resource === undefined || action === undefined) throw new Error(`${permission} is not a valid permission.`)
  return { grant: { resource, action }, isInOrganization: scope !== undefined }
}

const form = /^([a-z][a-z0-9_]*):([a-z][a-z0-9_]*)( in \{orgId\})?$/

interface Row extends AccountRow {
  /** Time of authentication, and time of the database: milliseconds since 1970. */
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

/** The built-in issuer stores the time of authentication with the session; other issuers put it in the token. */
function levelOf({ aal, proved_at_ms, now_ms, has_factor }: Row, { authenticatedAtMs }: UserCaller): Level {
  const provedAtMs = proved_at_ms ?? authenticatedAtMs
  return { aal, age_seconds: provedAtMs === undefined ? null : (now_ms - provedAtMs) / 1_000, has_factor }
}
