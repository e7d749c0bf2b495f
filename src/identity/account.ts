import { createBatches, type Rows, unnestOf } from '../platform/database/database.ts'
import type { Aal, UserCaller } from '../platform/http/caller.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { PermissionRow } from './permissions.ts'
import { isRemoved, provision, updateName } from './provisioning.ts'
import { subscriptionsOf } from './subscriptions.ts'

/** State of the caller's account and session. */
export interface AccountState {
  readonly account_id: string
  readonly disabled: boolean
  readonly ended: boolean
  /** true: the session was opened with a generated password and can only change that password. */
  readonly must_change_password: boolean
  readonly display_name: string | null
  /** The issuer that named the user. Null if somebody set the name here. */
  readonly display_name_issuer: string | null
  /** When that issuer issued the token with the name. Milliseconds since 1970; -Infinity if unknown. */
  readonly display_name_issued_at_ms: number | null
}

/**
 * The row that `read` returns for this caller. Creates an account for an unknown subject if its issuer provisions
 * accounts, and takes a new name from the token of a trusted issuer.
 * Problems: `account_unknown`, `account_removed`, `rate_limited` (too many new accounts of one issuer),
 * `account_disabled`, `session_ended`, and `password_change_required` unless `withInitialPassword`.
 */
export async function requireAccount<Row extends AccountState>(
  rows: Rows,
  caller: UserCaller,
  read: () => Promise<Row | undefined>,
  { withInitialPassword = false }: { readonly withInitialPassword?: boolean | undefined } = {},
): Promise<Row> {
  const row = (await read()) ?? (await provisioned(rows, caller, read)) ?? refuse('account_unknown')
  const { account_id: accountId } = row
  if (row.disabled) refuse('account_disabled', { accountId })
  if (row.ended) refuse('session_ended', { accountId })
  if (row.must_change_password && !withInitialPassword) refuse('password_change_required', { accountId })
  if (hasNewName(row, caller)) await updateName(rows, caller).catch(ignoreReadOnly)
  return row
}

function hasNewName(row: AccountState, { displayName, issuer, issuedAtMs }: UserCaller): boolean {
  if (displayName === undefined || displayName === row.display_name) return false
  if (row.display_name === null) return true
  return row.display_name_issuer === issuer && Number(issuedAtMs) > Number(row.display_name_issued_at_ms)
}

/** A later call takes the name, once the database accepts writes again. */
function ignoreReadOnly(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'read_only')) throw error
}

async function provisioned<Row>(
  rows: Rows,
  caller: UserCaller,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!caller.provisions) return undefined
  // Checked before the limit: tokens of one removed subject must not use up the limit of the issuer's other users.
  if (await isRemoved(rows, caller)) refuse('account_removed')
  caller.newAccounts?.take(caller.issuer)
  await provision(rows, caller)
  return (await read()) ?? refuse('account_removed')
}

export interface AccountRow extends AccountState, PermissionRow {}

/**
 * Issuer, subject, session id (built-in issuer only), requested organization, and for other issuers the level of the
 * session and the organization that the token names.
 */
export type CallerValues = readonly [string, string, string | null, string | null, Aal, string | null]

/** `orgId`: the requested organization. */
export function callerValues(
  { issuer, subject, ownSessionId, aal = 1, organizationId }: UserCaller,
  orgId?: string,
): CallerValues {
  return [issuer, subject, ownSessionId ?? null, orgId ?? null, aal, organizationId ?? null]
}

const valueTypes = ['text', 'text', 'uuid', 'uuid', 'smallint', 'uuid']

/**
 * Reads callers as `AccountRow` with `extra` columns, which may refer to the account `a` and its session `s`. Each
 * connection plans both statements once.
 */
export function callerReader<Row extends AccountRow>(name: string, extra: string) {
  const ofOne = { name, text: callerRead(extra) }
  const ofSeveral = {
    name: `${name}_several`,
    text: `
select (c.ordinal - 1)::int as index, r.*
from ${unnestOf(...valueTypes)} with ordinality as c (issuer, subject, session_id, organization_id, aal, claimed_id, ordinal)
cross join lateral (${readOf(extra, ['c.issuer', 'c.subject', 'c.session_id', 'c.organization_id', 'c.aal', 'c.claimed_id'])}) r`,
  }

  async function readOne(rows: Rows, caller: CallerValues): Promise<Row | undefined> {
    return (await rows.query<Row>(ofOne, caller))[0]
  }

  async function readSeveral(rows: Rows, callers: readonly CallerValues[]): Promise<(Row | undefined)[]> {
    const columns = valueTypes.map((_, column) => callers.map((values) => values[column]))
    const results: (Row | undefined)[] = callers.map(() => undefined)
    for (const row of await rows.query<Row & { readonly index: number }>(ofSeveral, columns)) results[row.index] = row
    return results
  }

  return {
    readOne,
    /** Concurrent requests share one statement; none waits for others to arrive. */
    inBatches: (rows: Rows) =>
      createBatches<CallerValues, Row | undefined>(
        async (callers) => {
          const [only, another] = callers
          return only && !another ? [await readOne(rows, only)] : readSeveral(rows, callers)
        },
        { itemsMax: 100, isOneAtATime: false },
      ),
  }
}

/** The statement for one caller. Parameters $1 to $6 are `CallerValues`. */
export const callerRead = (extra: string) => readOf(extra, ['$1', '$2', '$3', '$4', '$5', '$6'])

const readOf = (extra: string, [issuer, subject, sessionId, requested, foreignAal, claimed]: CallerColumns) => `
select a.id as account_id, a.role_id, a.disabled_at is not null as disabled,
       ${sessionId}::uuid is not null and s.id is null as ended,
       coalesce(s.must_change_password, false) as must_change_password,
       coalesce(s.aal, ${foreignAal}::smallint) as aal,
       ${accountColumns}${extra}
from identity i
join account a on a.id = i.account_id
left join session s on s.id = ${sessionId}::uuid and s.account_id = a.id and s.ended_at is null and s.expires_at > now()
${homeOf(requested, `coalesce(s.organization_id, ${claimed}::uuid)`)}
where i.issuer = ${issuer} and i.subject = ${subject}`

/** SQL expressions of the six `CallerValues`. */
type CallerColumns = readonly [string, string, string, string, string, string]

/**
 * The same columns for an account that another caller reads, as if in a new session with a second factor: $1 account,
 * $2 requested organization or null.
 */
export const accountRead = (extra: string) => `
select a.id as account_id, a.role_id, a.disabled_at is not null as disabled,
       false as ended, false as must_change_password, 2::smallint as aal,
       ${accountColumns}${extra}
from account a
${homeOf('$2', 'null')}
where a.id = $1`

const homeOf = (requested: string, chosen: string) => `left join lateral (
  select m.organization_id, m.role_id, o.requires_mfa
  from membership m join organization o on o.id = m.organization_id
  where m.account_id = a.id
    and m.organization_id = coalesce(${requested}::uuid, ${currentOrganizationOf('a.id', chosen)})
) home on true`

/**
 * SQL expression: the id of an account's current organization, or null. That is the chosen one while the account is a
 * member of it, otherwise the one joined first.
 */
export const currentOrganizationOf = (accountId: string, chosen: string) => `coalesce(
      (select m.organization_id from membership m where m.account_id = ${accountId} and m.organization_id = ${chosen}::uuid),
      (select m.organization_id from membership m where m.account_id = ${accountId} order by m.joined_at, m.organization_id limit 1))`

const accountColumns = `a.display_name, a.display_name_issuer,
       (extract(epoch from a.display_name_issued_at) * 1000)::float8 as display_name_issued_at_ms,
       home.organization_id, home.role_id as member_role_id, home.requires_mfa as organization_requires_mfa,
       ${subscriptionsOf('c.account_id = a.id')} as subscriptions,
       ${subscriptionsOf('c.organization_id = home.organization_id')} as organization_subscriptions,
       (select version from rules_version) as rules_version`
