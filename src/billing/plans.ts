import { actorOf, type ChangedBy } from '../identity/administrators.ts'
import { permissionsSql } from '../identity/grants.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'

export interface Plan {
  /** Muster's own id, which never changes. */
  readonly id: string
  readonly name: string
  /** Whether every user has it, and users without a subscription show it. */
  readonly is_default: boolean
  /** Of several subscriptions in force, the one whose plan has the highest rank is shown. */
  readonly rank: number
  /** Price ids of the payment processor. */
  readonly prices: readonly string[]
  /** `resource:action`. */
  readonly grants: readonly string[]
  /** The number of its subscriptions, including ended ones. */
  readonly subscriptions: number
}

/** Every plan, by id. */
export async function listPlans(rows: Rows): Promise<Plan[]> {
  return rows.query(listStatement, [])
}

const listStatement = {
  name: 'plans',
  text: `
select p.id, p.name, p.is_default, p.rank,
       array(select price_id from plan_price pp where pp.plan_id = p.id order by price_id) as prices,
       array(select resource || ':' || action from plan_grant g where g.plan_id = p.id order by 1) as grants,
       (select count(*)::int from subscription s
        where s.price_ids && array(select price_id from plan_price pp where pp.plan_id = p.id)) as subscriptions
from plan p
order by p.id`,
}

/** Every plan, by id, as the JSON text of `ListedPlans`. */
export async function readPlans(rows: Rows): Promise<string> {
  const [found] = await rows.query<{ body: string }>(readStatement, [])
  if (!found) throw new Error('The statement for the plans returned no row.')
  return found.body
}

const readStatement = {
  name: 'plans_json',
  text: `
select json_build_object('plans', coalesce(json_agg(json_build_object(
         'id', p.id, 'name', p.name, 'isDefault', p.is_default, 'rank', p.rank,
         'prices', array(select price_id from plan_price pp where pp.plan_id = p.id order by price_id),
         'permissions', ${permissionsSql('plan_grant g where g.plan_id = p.id')}) order by p.id), '[]'))::text as body
from plan p`,
}

/** Creates a plan, with a higher rank than all others, or changes its name. `isDefault` makes it the only default plan, or removes that. */
export async function savePlan(
  database: Database,
  { id, name, isDefault }: { id: string; name?: string | undefined; isDefault?: boolean | undefined },
): Promise<'created' | 'changed'> {
  return database.transaction(async (rows) => {
    if (isDefault) await rows.query(clearDefaultStatement, [id])
    const [saved] = await rows.query<{ made: boolean }>(saveStatement, [id, name ?? null, isDefault ?? null])
    const action = saved?.made ? 'plan.created' : 'plan.changed'
    await recordAudit(rows, {
      action,
      target: { kind: 'plan', id },
      details: { ...(name !== undefined && { name }), ...(isDefault !== undefined && { isDefault }) },
    })
    return saved?.made ? 'created' : 'changed'
  })
}

const clearDefaultStatement = {
  name: 'plan_clear_default',
  text: 'update plan set is_default = false where is_default and id <> $1',
}

const saveStatement = {
  name: 'plan_save',
  text: `
insert into plan as p (id, name, is_default, rank)
values ($1, coalesce($2, $1), coalesce($3, false), (select coalesce(max(rank) + 1, 0) from plan))
on conflict (id) do update set name = coalesce($2, p.name), is_default = coalesce($3, p.is_default)
returning xmax = 0 as made`,
}

/** Returns false if there is no such plan. */
export async function rankPlan(
  database: Database,
  { id, rank, by = 'operator' }: { id: string; rank: number; by?: ChangedBy },
): Promise<boolean> {
  return database.transaction(async (rows) => {
    const ranked = await rows.query(rankStatement, [id, rank])
    if (ranked.length === 0) return false
    await recordAudit(rows, { action: 'plan.changed', ...actorOf(by), target: { kind: 'plan', id }, details: { rank } })
    return true
  })
}

const rankStatement = { name: 'plan_rank', text: 'update plan set rank = $2 where id = $1 returning 1' }

/** Removes a plan with its grants. Returns false if there is none. A plan with prices is not removed: SQLSTATE 23503. */
export async function removePlan(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (rows) => {
    const removed = await rows.query({ name: 'plan_remove', text: 'delete from plan where id = $1 returning 1' }, [id])
    if (removed.length > 0) await recordAudit(rows, { action: 'plan.removed', target: { kind: 'plan', id } })
    return removed.length > 0
  })
}

/** Maps prices of the processor to a plan, replacing earlier mappings. Subscriptions show the plan from the next read on. */
export async function mapPrices(
  database: Database,
  { planId, priceIds, by = 'operator' }: { planId: string; priceIds: readonly string[]; by?: ChangedBy },
): Promise<void> {
  await database.transaction(async (rows) => {
    await rows.query(mapStatement, [planId, priceIds])
    await recordAudit(rows, {
      action: 'plan.changed',
      ...actorOf(by),
      target: { kind: 'plan', id: planId },
      details: { mapped: priceIds },
    })
  })
}

const mapStatement = {
  name: 'plan_map',
  text: `
insert into plan_price (price_id, plan_id) select unnest($2::text[]), $1
on conflict (price_id) do update set plan_id = excluded.plan_id`,
}

/** Removes the mapping of prices. Returns those that had one. */
export async function unmapPrices(
  database: Database,
  { priceIds, by = 'operator' }: { priceIds: readonly string[]; by?: ChangedBy },
): Promise<string[]> {
  return database.transaction(async (rows) => {
    const unmapped = await rows.query<{ price_id: string; plan_id: string }>(unmapStatement, [priceIds])
    for (const { price_id, plan_id } of unmapped)
      await recordAudit(rows, {
        action: 'plan.changed',
        ...actorOf(by),
        target: { kind: 'plan', id: plan_id },
        details: { unmapped: price_id },
      })
    return unmapped.map(({ price_id }) => price_id)
  })
}

const unmapStatement = {
  name: 'plan_unmap',
  text: 'delete from plan_price where price_id = any ($1) returning price_id, plan_id',
}

/** Whether a plan is mapped to one of these prices. */
export async function isMapped(rows: Rows, priceIds: readonly string[]): Promise<boolean> {
  const found = await rows.query(mappedStatement, [priceIds])
  return found.length > 0
}

const mappedStatement = { name: 'plan_mapped', text: 'select from plan_price where price_id = any ($1) limit 1' }

/** SQL condition: no price of a subscription is mapped to a plan. */
export function isWithoutPlan(subscription: string): string {
  return `not ${subscription}.price_ids && array(select price_id from plan_price)`
}

export interface UnmappedPrice {
  readonly price_id: string
  readonly product_name: string | null
  readonly subscriptions: number
}

/** Prices of subscriptions without a plan: they are shown by id and grant nothing. */
export async function listUnmappedPrices(rows: Rows, max?: number): Promise<UnmappedPrice[]> {
  return rows.query(unmappedStatement, [max ?? null])
}

/** Add-ons beside a price with a plan are not listed: their subscriptions grant something. */
const unmappedStatement = {
  name: 'plan_unmapped',
  text: `
select item.price_id, max(s.product_name) filter (where item.n = 1) as product_name, count(*)::int as subscriptions
from subscription s, unnest(s.price_ids) with ordinality item (price_id, n)
where ${isWithoutPlan('s')}
group by item.price_id
order by subscriptions desc, item.price_id
limit $1`,
}
