import { actorOf, type ChangedBy } from '../identity/administrators.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { type Claim, type CustomerUpdate, claimRanks } from './events.ts'

/** Inserts the customer if it is new. An operator may have linked it before its first event, without knowing its processor. */
export async function ensureCustomer(rows: Rows, id: string, processor: string): Promise<void> {
  await rows.query(ensureStatement, [id, processor])
}

const ensureStatement = {
  name: 'billing_customer_ensure',
  text: `
with inserted as (
  insert into customer (id, processor) values ($1, $2) on conflict (id) do nothing
)
update customer set processor = $2 where id = $1 and processor <> $2`,
}

/** Applies an update with the time `at`; returns whether it changed anything. */
export async function applyCustomerUpdate(
  rows: Rows,
  { id, claims, isDeleted = false }: CustomerUpdate,
  at: string,
): Promise<boolean> {
  let isChanged = false
  for (const claim of claims) if (await applyClaim(rows, id, claim, at)) isChanged = true
  if (isDeleted) isChanged = (await rows.query(deletedStatement, [id, at])).length > 0 || isChanged
  return isChanged
}

/** A deletion is final, so its time does not matter. */
const deletedStatement = {
  name: 'billing_customer_deleted',
  text: `
insert into customer as c (id, deleted_at) values ($1, $2)
on conflict (id) do update set deleted_at = excluded.deleted_at where c.deleted_at is null
returning 1`,
}

/** The owner named by a claim, at most one row. The claim must be the table `claimed (customer_id, kind, value, rank, id)`. */
const claimedOwner = `
select account_id, organization_id
from (
  select null::uuid as account_id, o.id as organization_id
  from organization o
  where claimed.kind in ('organization', 'any') and o.id = claimed.id
  union all
  select a.id, null
  from account a
  where claimed.kind in ('account', 'any') and a.id = claimed.id
  union all
  -- The subject of an identity. If two issuers have it for different accounts, the claim has no owner.
  select min(i.account_id::text)::uuid, null
  from identity i
  where claimed.kind in ('account', 'any') and i.subject = claimed.value
  having count(distinct i.account_id) = 1
) named
where claimed.rank > ${claimRanks.reference} or not exists (
  select from customer other
  where other.id <> claimed.customer_id
    and (other.account_id = named.account_id or other.organization_id = named.organization_id))
limit 1`

const uuidForm = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

async function applyClaim(rows: Rows, customerId: string, { kind, value, rank }: Claim, at: string): Promise<boolean> {
  return (await rows.query(claimStatement, [customerId, kind, value, rank, at])).length > 0
}

/**
 * $1 customer, $2 kind, $3 value, $4 rank, $5 at. Claims have a total order (rank, time, text), so the result does not depend on the order
 * of arrival. An owner without a claim comes from an operator's import and is kept. The customer of a deleted user gets an owner only from
 * an operator: later claims of the processor are not stored.
 */
const claimStatement = {
  name: 'billing_claim',
  text: `
with claimed as (
  select $1::text as customer_id, $2::text as kind, $3::text as value, $4::smallint as rank,
         case when $3 ~ '${uuidForm}' then $3::uuid end as id
), owner as (
  select found.* from claimed, lateral (${claimedOwner}) found
)
insert into customer as c (id, account_id, organization_id, claim_kind, claim_value, claim_rank, claim_at)
select claimed.customer_id, owner.account_id, owner.organization_id, claimed.kind, claimed.value, claimed.rank, $5::timestamptz
from claimed left join owner on true
on conflict (id) do update
  set account_id = excluded.account_id, organization_id = excluded.organization_id, claim_kind = excluded.claim_kind,
      claim_value = excluded.claim_value, claim_rank = excluded.claim_rank, claim_at = excluded.claim_at, erased_at = null
  where (c.erased_at is null or excluded.claim_rank = ${claimRanks.operator}) and case when c.claim_rank is null then num_nonnulls(c.account_id, c.organization_id) = 0
        else (c.claim_rank, c.claim_at, c.claim_kind, c.claim_value)
          <= (excluded.claim_rank, excluded.claim_at, excluded.claim_kind, excluded.claim_value) end
returning 1`,
}

export interface SubscribedCustomer {
  readonly id: string
  readonly processor: string
  readonly subscriptions: readonly {
    readonly id: string
    readonly status: string
    readonly price_ids: readonly string[]
  }[]
}

/** A customer without an owner. */
export interface WaitingCustomer extends SubscribedCustomer {
  /** The claimed owner, or what was written instead of one. */
  readonly claim: Pick<Claim, 'kind' | 'value'> | null
}

/** Customers with a subscription and no owner, by id. They wait for a claim that names an owner, or for an operator's link. */
export async function listWaitingCustomers(rows: Rows, max?: number): Promise<WaitingCustomer[]> {
  return rows.query(waitingStatement, [max ?? null])
}

const waitingStatement = {
  name: 'billing_waiting',
  text: `
select c.id, c.processor,
       case when c.claim_rank is not null then json_build_object('kind', c.claim_kind, 'value', c.claim_value) end as claim,
       json_agg(json_build_object('id', s.id, 'status', s.status, 'price_ids', s.price_ids) order by s.id) as subscriptions
from customer c
join subscription s on s.customer_id = c.id
where c.account_id is null and c.organization_id is null and c.erased_at is null
group by c.id
order by c.id
limit $1`,
}

/** Evaluates the claims of customers without an owner again: a user may be newer than its payment. Returns the linked customers. */
export async function linkWaitingCustomers(rows: Rows): Promise<string[]> {
  const linked = await rows.query<{ id: string }>(linkWaitingStatement, [])
  return linked.map(({ id }) => id)
}

const linkWaitingStatement = {
  name: 'billing_link_waiting',
  text: `
update customer c
set account_id = owner.account_id, organization_id = owner.organization_id
from (
  select claimed.customer_id, found.*
  from (
    select id as customer_id, claim_kind as kind, claim_value as value, claim_rank as rank,
           case when claim_value ~ '${uuidForm}' then claim_value::uuid end as id
    from customer
    where account_id is null and organization_id is null and claim_rank is not null
  ) claimed, lateral (${claimedOwner}) found
) owner
where c.id = owner.customer_id and c.account_id is null and c.organization_id is null
returning c.id`,
}

export type Owner = { readonly accountId: string } | { readonly organizationId: string }

/** A customer and its new owner. */
interface OwnerChange {
  readonly customerId: string
  readonly owner: Owner
  /** Orders changes, ISO 8601. */
  readonly at: string
  readonly by?: ChangedBy | undefined
}

/**
 * Links a customer to a user or an organization; only another link changes that. Inserts a customer without events. Returns false if the
 * user or organization does not exist.
 */
export async function linkCustomer(
  database: Database,
  { customerId, owner, at, by = 'operator' }: OwnerChange,
): Promise<boolean> {
  const [kind, value] =
    'accountId' in owner ? ['account' as const, owner.accountId] : ['organization' as const, owner.organizationId]
  return database.transaction(async (rows) => {
    const [found] = await rows.query(ownerStatement, [kind, value])
    if (!found) return false
    await applyClaim(rows, customerId, { kind, value, rank: claimRanks.operator }, at)
    await recordAudit(rows, {
      action: 'customer.linked',
      ...actorOf(by),
      target: { kind: 'customer', id: customerId },
      details: { [kind]: value },
    })
    return true
  })
}

/** A customer whose owner was named only by the payer. */
export interface UnconfirmedCustomer extends SubscribedCustomer {
  /** `name`: the email of the user, if it has one, or the name of the organization. */
  readonly owner: { readonly kind: 'account' | 'organization'; readonly id: string; readonly name: string }
}

/** Customers whose owner comes from a reference only, by id. */
export async function listUnconfirmedCustomers(rows: Rows, max?: number): Promise<UnconfirmedCustomer[]> {
  return rows.query(unconfirmedStatement, [max ?? null])
}

const unconfirmedStatement = {
  name: 'billing_unconfirmed',
  text: `
select c.id, c.processor,
       coalesce((select json_build_object('kind', 'account', 'id', a.id, 'name', coalesce(a.email, a.id::text))
                 from account a where a.id = c.account_id),
                (select json_build_object('kind', 'organization', 'id', o.id, 'name', o.name)
                 from organization o where o.id = c.organization_id)) as owner,
       (select coalesce(json_agg(json_build_object('id', s.id, 'status', s.status, 'price_ids', s.price_ids) order by s.id), '[]')
        from subscription s where s.customer_id = c.id) as subscriptions
from customer c
where c.claim_rank = ${claimRanks.reference} and num_nonnulls(c.account_id, c.organization_id) = 1
order by c.id
limit $1`,
}

/**
 * Confirms the owner named by the payer, like `linkCustomer`. Returns false if the customer has no owner or another one: an operator
 * confirms only the owner that they saw.
 */
export async function confirmCustomer(
  database: Database,
  { customerId, owner, at, by = 'operator' }: OwnerChange,
): Promise<boolean> {
  const [account, organization] = 'accountId' in owner ? [owner.accountId, null] : [null, owner.organizationId]
  return database.transaction(async (rows) => {
    const [seen] = await rows.query(confirmStatement, [customerId, account, organization, at])
    if (!seen) return false
    await recordAudit(rows, {
      action: 'customer.confirmed',
      ...actorOf(by),
      target: { kind: 'customer', id: customerId },
      details: account === null ? { organization: String(organization) } : { account },
    })
    return true
  })
}

const confirmStatement = {
  name: 'billing_confirm',
  text: `
update customer
set claim_kind = case when account_id is null then 'organization' else 'account' end,
    claim_value = coalesce(account_id, organization_id)::text, claim_rank = ${claimRanks.operator}, claim_at = $4
where id = $1 and claim_rank = ${claimRanks.reference}
  and account_id is not distinct from $2::uuid and organization_id is not distinct from $3::uuid
  and num_nonnulls(account_id, organization_id) = 1
returning 1`,
}

const ownerStatement = {
  name: 'billing_owner',
  text: `
select 1 from account where $1 = 'account' and id = $2::uuid
union all
select 1 from organization where $1 = 'organization' and id = $2::uuid`,
}
