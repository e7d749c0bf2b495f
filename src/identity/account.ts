import { createBatches, itemsOf } from '../platform/database/batches.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Aal, UserCaller } from '../platform/http/caller.ts'
import { refuse } from '../platform/problems.ts'
import { isRemoved, provision } from './provisioning.ts'
import type { VersionedRow } from './rules.ts'

/** State of the caller's account and session, which every statement that begins with the caller reads. */
export interface AccountState {
  readonly account_id: string
  readonly disabled: boolean
  readonly ended: boolean
  /** A generated password opened the session: until it is changed, the session is good for nothing else. */
  readonly must_change_password: boolean
}

/**
 * The row that `read` finds for this caller. An unknown subject becomes an account where its issuer provisions accounts.
 * Problems: `account_unknown`, `account_removed`, `rate_limited` where too many come from one issuer, `account_disabled`, `session_ended`, `password_change_required`
 * (unless `withInitialPassword`, what a session of a generated password may do).
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
  return row
}

async function provisioned<Row>(
  rows: Rows,
  caller: UserCaller,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!caller.provisions) return undefined
  // Asked first: tokens of one removed subject must not use up what the issuer's other users have.
  if (await isRemoved(rows, caller)) refuse('account_removed')
  caller.newAccounts?.take(caller.issuer)
  await provision(rows, caller)
  return (await read()) ?? refuse('account_removed')
}

/** The rows of an account that its permissions follow from, together with the rules of `rules_version`. */
export interface AccountRow extends AccountState, VersionedRow {
  readonly role_id: string
  readonly aal: Aal
  /** The organization asked for, otherwise the first joined. Null if there is none. */
  readonly organization_id: string | null
  readonly member_role_id: string | null
  readonly organization_requires_mfa: boolean | null
  /** The subscription to show, of all that the account pays for itself. */
  readonly subscription: Subscription | null
  /** The same of the organization. */
  readonly organization_subscription: Subscription | null
}

export interface Subscription {
  readonly price_id: string
  readonly product_name: string | null
  readonly status: string
  readonly customer_id: string
}

/** Issuer, subject, session id where the built-in issuer opened it, organization, level of a session of another issuer. */
export type CallerValues = readonly [string, string, string | null, string | null, Aal]

export function callerValues({ issuer, subject, ownSessionId, aal = 1 }: UserCaller, orgId?: string): CallerValues {
  return [issuer, subject, ownSessionId ?? null, orgId ?? null, aal]
}

const valueTypes = ['text', 'text', 'uuid', 'uuid', 'smallint']

/**
 * Reads callers as rows of `AccountRow` with `extra` columns, which may use the account `a` and its session `s`. Both statements are planned
 * once for each connection.
 */
export function callerReader<Row extends AccountRow>(name: string, extra: string) {
  const ofOne = { name, text: callerRead(extra) }
  const ofSeveral = {
    name: `${name}_several`,
    text: `
select (asked.place - 1)::int as asked, found.*
from ${itemsOf(...valueTypes)} with ordinality as asked (issuer, subject, session_id, organization_id, aal, place)
cross join lateral (${readOf(extra, ['asked.issuer', 'asked.subject', 'asked.session_id', 'asked.organization_id', 'asked.aal'])}) found`,
  }

  async function readOne(rows: Rows, caller: CallerValues): Promise<Row | undefined> {
    return (await rows.query<Row>(ofOne, caller))[0]
  }

  async function readSeveral(rows: Rows, callers: readonly CallerValues[]): Promise<(Row | undefined)[]> {
    const columns = valueTypes.map((_, column) => callers.map((values) => values[column]))
    const found: (Row | undefined)[] = callers.map(() => undefined)
    for (const row of await rows.query<Row & { readonly asked: number }>(ofSeveral, columns)) found[row.asked] = row
    return found
  }

  return {
    readOne,
    /** Reads the callers of concurrent requests by one statement. No request waits for others to arrive, nor for a statement under way. */
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

/** The same for statements of one caller: parameters $1 to $5 are `CallerValues`. */
export const callerRead = (extra: string) => readOf(extra, ['$1', '$2', '$3', '$4', '$5'])

const readOf = (extra: string, [issuer, subject, sessionId, organizationId, foreignAal]: CallerColumns) => `
select a.id as account_id, a.role_id, a.disabled_at is not null as disabled,
       ${sessionId}::uuid is not null and s.id is null as ended,
       coalesce(s.must_change_password, false) as must_change_password,
       coalesce(s.aal, ${foreignAal}::smallint) as aal,
       ${accountColumns}${extra}
from identity i
join account a on a.id = i.account_id
left join session s on s.id = ${sessionId}::uuid and s.account_id = a.id and s.ended_at is null and s.expires_at > now()
${homeOf(organizationId)}
where i.issuer = ${issuer} and i.subject = ${subject}`

/** Where a statement has the values of a caller. */
type CallerColumns = readonly [string, string, string, string, string]

/** The same of an account that another caller asks about, as in a session with a second factor: $1 account, $2 organization or null. */
export const accountRead = (extra: string) => `
select a.id as account_id, a.role_id, a.disabled_at is not null as disabled,
       false as ended, false as must_change_password, 2::smallint as aal,
       ${accountColumns}${extra}
from account a
${homeOf('$2')}
where a.id = $1`

const homeOf = (organizationId: string) => `left join lateral (
  select m.organization_id, m.role_id, o.requires_mfa
  from membership m join organization o on o.id = m.organization_id
  where m.account_id = a.id and (${organizationId}::uuid is null or m.organization_id = ${organizationId})
  order by m.joined_at, m.organization_id
  limit 1
) home on true`

/** The statuses with which a subscription grants what its plan does. */
export const statusesInForce: readonly string[] = ['active', 'trialing', 'past_due']

/** Whether a status, a column, is one of them: an expression. */
export const isInForce = (status: string) => `${status} in (${statusesInForce.map((one) => `'${one}'`).join(', ')})`

/** The order of the subscriptions `s` of one customer or several: the first is the one to show. */
const bestFirst = `array_position(array['active', 'trialing', 'past_due', 'unpaid', 'paused',
                                'incomplete', 'canceled', 'incomplete_expired'], s.status),
           s.created_at desc, s.id`

const subscriptionOf = (isCustomer: string) => `(
         select json_build_object('price_id', s.price_id, 'product_name', s.product_name, 'status', s.status, 'customer_id', c.id)
         from customer c join subscription s on s.customer_id = c.id
         where ${isCustomer} order by ${bestFirst} limit 1)`

const accountColumns = `home.organization_id, home.role_id as member_role_id, home.requires_mfa as organization_requires_mfa,
       ${subscriptionOf('c.account_id = a.id')} as subscription,
       ${subscriptionOf('c.organization_id = home.organization_id')} as organization_subscription,
       (select version from rules_version) as rules_version`

/**
 * The id of the plan of an account, as an expression: that of its subscription as user data show it, while its status grants anything, or
 * the default plan where it never had one. Null where there is none.
 */
export const planIdOf = (accountId: string) => `nullif(coalesce(
  ${paidPlanIdOf(`c.account_id = ${accountId}`)},
  (select d.id from plan d where d.is_default)), '')`

/** The same of an organisation, which has no default plan. */
export const planIdOfOrganization = (id: string) => `nullif(${paidPlanIdOf(`c.organization_id = ${id}`)}, '')`

/** Empty where the subscription to show grants nothing, null where there is none. */
const paidPlanIdOf = (isCustomer: string) => `(
  select case when ${isInForce('s.status')} then coalesce(pp.plan_id, s.price_id) else '' end
  from customer c join subscription s on s.customer_id = c.id left join plan_price pp on pp.price_id = s.price_id
  where ${isCustomer} order by ${bestFirst} limit 1)`
