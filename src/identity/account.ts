import type { Rows } from '../platform/database/database.ts'
import { refuse } from '../platform/problems.ts'
import type { Caller } from './caller.ts'
import type { Aal } from './level.ts'
import { isRemoved, provision } from './provisioning.ts'

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
  caller: Caller,
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
  caller: Caller,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!caller.provisions) return undefined
  // Asked first: tokens of one removed subject must not use up what the issuer's other users have.
  if (await isRemoved(rows, caller)) refuse('account_removed')
  caller.newAccounts?.take(caller.issuer)
  await provision(rows, caller)
  return (await read()) ?? refuse('account_removed')
}

/** Where a statement has what it must know of the caller: parameters, or columns of a table of callers. */
interface CallerColumns {
  readonly issuer: string
  readonly subject: string
  /** Where the built-in issuer opened it, or null. */
  readonly sessionId: string
  /** The organisation asked for, or null for the first joined. */
  readonly organizationId: string
  /** The level of a session of another issuer. */
  readonly foreignAal: string
}

/** The order of the subscriptions `s` of one customer or several: the first is the one to show. */
const bestFirst = `array_position(array['active', 'trialing', 'past_due', 'unpaid', 'paused',
                                'incomplete', 'canceled', 'incomplete_expired'], s.status),
           s.created_at desc, s.id`

/** The statuses with which a subscription grants what its plan does. */
const inForce = `'active', 'trialing', 'past_due'`

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
  select case when s.status in (${inForce}) then coalesce(pp.plan_id, s.price_id) else '' end
  from customer c join subscription s on s.customer_id = c.id left join plan_price pp on pp.price_id = s.price_id
  where ${isCustomer} order by ${bestFirst} limit 1)`

/**
 * Common table expressions that say who calls and what they are granted, shared by every statement that asks.
 * Tables: `me` (one row with the level of the session, or none for an unknown subject), `home` (the membership in the current organisation),
 * `shown` (the subscription to show of the person, `own`, and of the organisation), `granted` (resource, action), and `given`, which has
 * beside these what waits for a second factor (`is_withheld`), because the role or the organisation requires one.
 */
export const callerTablesOf = ({ issuer, subject, sessionId, organizationId, foreignAal }: CallerColumns) => `
me as (
  select a.id, a.role_id, a.first_session,
         a.disabled_at is not null as disabled,
         ${sessionId}::uuid is not null and s.id is null as ended,
         coalesce(s.must_change_password, false) as must_change_password,
         coalesce(s.aal, ${foreignAal}::smallint) as aal, s.proved_at,
         r.requires_mfa and coalesce(s.aal, ${foreignAal}::smallint) < 2 as is_withheld
  from identity i
  join account a on a.id = i.account_id
  join role r on r.id = a.role_id
  left join session s on s.id = ${sessionId}::uuid and s.account_id = a.id and s.ended_at is null and s.expires_at > now()
  where i.issuer = ${issuer} and i.subject = ${subject}
),${grantedTablesOf(organizationId)}`

/** The tables that follow from `me`. */
const grantedTablesOf = (organizationId: string) => `
home as (
  select m.organization_id, m.role_id, o.requires_mfa and m.aal < 2 as is_organization_withheld,
         (o.requires_mfa or r.requires_mfa) and m.aal < 2 as is_withheld
  from (
    select m.organization_id, m.role_id, me.aal
    from me
    join membership m on m.account_id = me.id
    where ${organizationId}::uuid is null or m.organization_id = ${organizationId}
    order by m.joined_at, m.organization_id
    limit 1
  ) m
  join organization o on o.id = m.organization_id
  join role r on r.id = m.role_id
), paid as (
  select distinct on (own)
         c.account_id is not null as own,
         pp.plan_id as known_plan,
         coalesce(pp.plan_id, s.price_id) as plan_id,
         coalesce(p.name, s.product_name) as plan_name,
         s.status,
         c.id as billing_customer_id,
         c.organization_id
  from customer c
  join subscription s on s.customer_id = c.id
  left join plan_price pp on pp.price_id = s.price_id
  left join plan p on p.id = pp.plan_id
  where c.account_id = (select id from me) or c.organization_id = (select organization_id from home)
  order by own, ${bestFirst}
), shown as (
  select own, known_plan, plan_id, plan_name, status, billing_customer_id, organization_id from paid
  union all
  select true, p.id, p.id, p.name, 'active', null, null
  from plan p
  where p.is_default and not exists (select from paid where own)
), given as (
  select g.resource, g.action, me.is_withheld, false as by_membership from me join role_grant g using (role_id)
  union all
  select g.resource, g.action, home.is_withheld, true from home join role_grant g using (role_id)
  union all
  select g.resource, g.action, not shown.own and (select is_organization_withheld from home), false
  from shown join plan_grant g on g.plan_id = shown.known_plan
  where shown.status in (${inForce})
), granted as (
  select distinct resource, action from given where not is_withheld
)`

/** The same for one caller: $1 issuer, $2 subject, $3 session id, $4 organisation, $5 level of a session of another issuer. */
export const callerTables = callerTablesOf({
  issuer: '$1',
  subject: '$2',
  sessionId: '$3',
  organizationId: '$4',
  foreignAal: '$5',
})

/** The same for an account that another caller asks about: $1 account, $2 organisation. As in a session with a second factor. */
export const accountTables = `
me as (
  select a.id, a.role_id, a.first_session, a.disabled_at is not null as disabled, 2::smallint as aal, false as is_withheld
  from account a
  where a.id = $1
),${grantedTablesOf('$2')}`

/** $1 to $5 of `callerTables`. */
export function callerValues(
  { issuer, subject, ownSessionId, aal = 1 }: Caller,
  orgId?: string,
): readonly [string, string, string | null, string | null, Aal] {
  return [issuer, subject, ownSessionId ?? null, orgId ?? null, aal]
}
