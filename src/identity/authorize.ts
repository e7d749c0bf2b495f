import { createBatches, itemsOf } from '../platform/database/batches.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Needs, Permission } from '../platform/http/contract.ts'
import { refuse } from '../platform/problems.ts'
import { type AccountState, callerTablesOf, callerValues, requireAccount } from './account.ts'
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
 * Checks that the caller has a permission and answers the id of the account. An operation that changes what permissions depend on calls
 * it under its lock.
 * Problems: those of `requireAccount`, `organization_unknown` for an organisation of which the caller is no member,
 * `permission_missing`, `step_up_required`.
 */
export async function authorize(
  rows: Rows,
  caller: Caller,
  permission: Permission,
  options?: AuthorizeOptions,
): Promise<string> {
  const readOne = async (question: Question) => (await readAll(rows, [question]))[0]
  return check(rows, readOne, { caller, permission, ...options })
}

/** The same for the gate, which asks for every operation that names a permission, before the body is read. */
export type Authorize = (caller: Caller, permission: Permission, options?: AuthorizeOptions) => Promise<string>

/** Callers of concurrent requests are read by one statement. No request waits for others to arrive, nor for a statement under way. */
export function createAuthorize(rows: Rows): Authorize {
  const batches = { itemsMax: 100, isOneAtATime: false }
  const read = createBatches((questions: readonly Question[]) => readAll(rows, questions), batches)
  return (caller, permission, options) => check(rows, read, { caller, permission, ...options })
}

interface Asked extends AuthorizeOptions {
  readonly caller: Caller
  readonly permission: Permission
}

async function check(
  rows: Rows,
  read: (question: Question) => Promise<Row | undefined>,
  { caller, permission, organizationId, needs, withInitialPassword }: Asked,
): Promise<string> {
  const needed = readPermission(permission)
  const question: Question = [
    ...callerValues(caller, organizationId),
    needed.grant?.resource ?? null,
    needed.grant?.action ?? null,
    caller.authenticatedAtMs === undefined ? null : new Date(caller.authenticatedAtMs),
  ]
  const row = await requireAccount(rows, caller, () => read(question), { withInitialPassword })
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
  if (permission === 'caller') return { isInOrganization: false }
  if (permission === 'member in {orgId}') return { isInOrganization: true }
  const [, resource, action, place] = form.exec(permission) ?? []
  if (resource === undefined || action === undefined) throw new Error(`${permission} is not a permission.`)
  return { grant: { resource, action }, isInOrganization: place !== undefined }
}

const form = /^([a-z][a-z0-9_]*):([a-z][a-z0-9_]*)( in \{orgId\})?$/

/** Issuer, subject, own session id, organisation, level of a session of another issuer; resource, action, when another issuer authenticated the user. */
type Question = readonly [...ReturnType<typeof callerValues>, string | null, string | null, Date | null]

async function readAll(rows: Rows, questions: readonly Question[]): Promise<readonly (Row | undefined)[]> {
  const columns = [0, 1, 2, 3, 4, 5, 6, 7].map((column) => questions.map((question) => question[column]))
  const found: (Row | undefined)[] = questions.map(() => undefined)
  for (const row of await rows.query<Row>(authorizeStatement, columns)) found[row.asked] = row
  return found
}

interface Row extends AccountState, Level {
  /** The place of its question. */
  readonly asked: number
  readonly is_member: boolean
  /** By the account's role, its role in the current organisation, or a plan. */
  readonly allowed: boolean
  /** By the role in that organisation and by nothing else. */
  readonly allowed_by_membership: boolean
  /** The same, if the session had shown a second factor. */
  readonly withheld: boolean
  readonly withheld_by_membership: boolean
}

/** Members of `Question`, each as the list of all callers. */
const authorizeStatement = {
  name: 'authorize',
  text: `
select (asked.place - 1)::int as asked, found.*
from ${itemsOf('text', 'text', 'uuid', 'uuid', 'smallint', 'text', 'text', 'timestamptz')}
     with ordinality as asked (issuer, subject, session_id, organization_id, foreign_aal, resource, action, foreign_proved_at, place)
cross join lateral (
  with ${callerTablesOf({
    issuer: 'asked.issuer',
    subject: 'asked.subject',
    sessionId: 'asked.session_id',
    organizationId: 'asked.organization_id',
    foreignAal: 'asked.foreign_aal',
  })}
  select me.id as account_id, me.disabled, me.ended, me.must_change_password,
         exists (select from home) as is_member,
         exists (select from granted where resource = asked.resource and action = asked.action) as allowed,
         exists (select from given where resource = asked.resource and action = asked.action
                                     and by_membership and not is_withheld) as allowed_by_membership,
         exists (select from given where resource = asked.resource and action = asked.action and is_withheld) as withheld,
         exists (select from given where resource = asked.resource and action = asked.action
                                     and by_membership and is_withheld) as withheld_by_membership,
         me.aal,
         extract(epoch from now() - coalesce(me.proved_at, asked.foreign_proved_at))::float8 as age_seconds,
         exists (select from second_factor f where f.account_id = me.id) as has_factor
  from me
) found`,
}
