import type { Database, Rows } from '../platform/database/database.ts'
import { applyCustomerUpdate, ensureCustomer, linkWaitingCustomers } from './customers.ts'
import type { CustomerUpdate, Snapshot } from './events.ts'
import type { FetchedSubscription, SubscriptionApi } from './processor.ts'
import { lockSubject, writeSubscription } from './subscription-sql.ts'

/** A processor that can list its subscriptions. */
export interface SubscriptionSource extends SubscriptionApi {
  readonly processor: string
  readonly title: string
}

/** A subscription that differed from the payment processor's and was corrected. */
interface Repair {
  readonly id: string
  /** The differences, such as `status: active → canceled`, or `missing`. */
  readonly changes: string[]
}

export interface SyncReport {
  readonly checked: number
  readonly repaired: readonly Repair[]
  /** Customers that were linked to an owner. */
  readonly linked: readonly string[]
  /** Stored subscriptions that are unknown to the payment processor. They are left unchanged; an operator decides about them. */
  readonly unknown: readonly string[]
}

export interface SyncOptions {
  readonly signal?: AbortSignal | undefined
  /** Called after every page. */
  readonly onProgress?: (progress: { readonly checked: number; readonly repaired: number }) => void
}

/**
 * Compares all subscriptions of a payment processor with the stored ones and repairs differences. A page only shows which ones differ. Each
 * of these is fetched again and written only if its row did not change meanwhile, so a webhook event that arrives during the reconciliation
 * is never undone. Throws `processor_…`; earlier repairs remain.
 */
export async function syncSubscriptions(
  database: Database,
  source: SubscriptionSource,
  { signal, onProgress }: SyncOptions = {},
): Promise<SyncReport> {
  const seen: string[] = []
  const repaired: Repair[] = []
  const linked: string[] = []
  for await (const page of source.pages(signal)) {
    for (const id of await findDifferent(database, page)) {
      const repair = await repairSubscription(database, source, id)
      if (repair) repaired.push(repair)
    }
    for (const { customer, notBefore } of await findCustomerUpdates(database, page))
      if (await refreshCustomer(database, source, customer, notBefore)) linked.push(customer.id)
    seen.push(...page.map(({ snapshot }) => snapshot.id))
    onProgress?.({ checked: seen.length, repaired: repaired.length })
  }
  linked.push(...(await linkWaitingCustomers(database)))
  const unknown = await findUnknown(database, source, seen)
  return { checked: seen.length, repaired, linked: [...new Set(linked)], unknown }
}

interface StoredRow {
  readonly id: string
  readonly customer_id: string
  readonly price_ids: readonly string[]
  readonly status: string
  readonly revision: number
  readonly is_nameless: boolean
  readonly quantities: readonly (number | null)[]
  readonly current_period_end: Date | null
  readonly cancel_at_period_end: boolean | null
  readonly trial_end: Date | null
}

const storedStatement = {
  name: 'billing_stored',
  text: `
select s.id, s.customer_id, s.price_ids, s.status, s.revision, s.quantities, s.current_period_end, s.cancel_at_period_end, s.trial_end,
       s.product_name is null and cardinality(s.price_ids) > 0
         and not exists (select from plan_price where price_id = any (s.price_ids)) as is_nameless
from subscription s
where s.id = any ($1)`,
}

async function readStored(rows: Rows, ids: readonly string[]): Promise<ReadonlyMap<string, StoredRow>> {
  const found = await rows.query<StoredRow>(storedStatement, [ids])
  return new Map(found.map((row) => [row.id, row]))
}

async function findDifferent(database: Database, page: readonly FetchedSubscription[]): Promise<string[]> {
  const rows = await readStored(
    database,
    page.map(({ snapshot }) => snapshot.id),
  )
  return page
    .filter(({ snapshot }) => snapshot.hasUnreadItems || differences(rows.get(snapshot.id), snapshot).length > 0)
    .map(({ snapshot }) => snapshot.id)
}

/** A required but missing product name is a difference too: pages do not contain names, a fetch does. */
function differences(row: StoredRow | undefined, snapshot: Snapshot): string[] {
  if (!row) return ['missing']
  const { items, status, customerId, currentPeriodEnd, cancelAtPeriodEnd, trialEnd } = snapshot
  const priceIds = items.map(({ priceId }) => priceId)
  const unread = snapshot.hasUnreadItems ? row.price_ids.filter((id) => !priceIds.includes(id)) : []
  const changes = [
    ...change('status', row.status, status),
    ...change('customer', row.customer_id, customerId),
    ...change('prices', row.price_ids.join(', '), priceIds.concat(unread).join(', ')),
    ...(snapshot.hasUnreadItems
      ? []
      : change('quantities', listed(row.quantities), listed(items.map(({ quantity }) => quantity)))),
    ...change('period end', row.current_period_end?.toISOString(), currentPeriodEnd),
    ...change('cancel at period end', row.cancel_at_period_end, cancelAtPeriodEnd),
    ...change('trial end', row.trial_end?.toISOString(), trialEnd),
  ]
  return changes.length === 0 && row.is_nameless ? ['product name: none'] : changes
}

function change(name: string, from: string | boolean | null | undefined, to: string | boolean | undefined): string[] {
  const [before, after] = [from, to].map((value) => String(value ?? '') || 'none')
  return before === after ? [] : [`${name}: ${before} → ${after}`]
}

/** Without a quantity, an item is `-`; empty if no item has one. */
function listed(quantities: readonly (number | null | undefined)[]): string {
  if (quantities.every((quantity) => quantity == null)) return ''
  return quantities.map((quantity) => quantity ?? '-').join(', ')
}

/** A subscription whose row keeps changing is skipped, because events update it. */
const attemptsMax = 5

async function repairSubscription(
  database: Database,
  source: SubscriptionSource,
  id: string,
): Promise<Repair | undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const before = (await readStored(database, [id])).get(id)
    const fetched = await source.fetch(id)
    if (!fetched) return undefined
    const changes = differences(before, fetched.snapshot)
    if (changes.length === 0) return undefined
    const isWritten = await database.transaction(async (rows) => {
      await lockSubject(rows, id)
      if ((await readStored(rows, [id])).get(id)?.revision !== before?.revision) return false
      await ensureCustomer(rows, fetched.snapshot.customerId, source.processor)
      return writeSubscription(rows, fetched.snapshot, { notBefore: fetched.notBefore, isNewest: true })
    })
    if (isWritten) return { id, changes }
  }
  return undefined
}

/** The customers of a page that differ from the stored ones. Skips those without a time: they may be older. */
async function findCustomerUpdates(
  database: Database,
  page: readonly FetchedSubscription[],
): Promise<{ customer: CustomerUpdate; notBefore: string }[]> {
  const updates = page.flatMap(({ customer, notBefore }) => {
    const [best] = customer.claims.toSorted((a, b) => b.rank - a.rank)
    if (notBefore === undefined || (!best && !customer.isDeleted)) return []
    return [{ customer, notBefore, best, isDeleted: customer.isDeleted ?? false }]
  })
  const found = await database.query<{ n: number }>(customerUpdatesStatement, [
    updates.map(({ customer }) => customer.id),
    updates.map(({ best }) => best?.kind ?? null),
    updates.map(({ best }) => best?.value ?? null),
    updates.map(({ best }) => best?.rank ?? null),
    updates.map(({ isDeleted }) => isDeleted),
  ])
  const differing = new Set(found.map(({ n }) => n))
  return updates.filter((_, index) => differing.has(index + 1))
}

const customerUpdatesStatement = {
  name: 'billing_customer_updates',
  text: `
select seen.n::int
from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::boolean[]) with ordinality
     seen (id, kind, value, rank, is_deleted, n)
left join customer c on c.id = seen.id
where (seen.is_deleted and c.deleted_at is null)
   or (seen.kind is not null and c.erased_at is null and coalesce(c.claim_rank, seen.rank) <= seen.rank
       and (c.claim_rank is not null or num_nonnulls(c.account_id, c.organization_id) = 0)
       and (c.claim_kind, c.claim_value) is distinct from (seen.kind, seen.value))`,
}

/** Applies the processor's state of a customer; returns whether it has claims and an owner. */
async function refreshCustomer(
  database: Database,
  { processor }: SubscriptionSource,
  customer: CustomerUpdate,
  at: string,
): Promise<boolean> {
  return database.transaction(async (rows) => {
    await ensureCustomer(rows, customer.id, processor)
    await applyCustomerUpdate(rows, customer, at)
    const [owned] = await rows.query<{ is_owned: boolean }>(ownedStatement, [customer.id])
    return customer.claims.length > 0 && owned?.is_owned === true
  })
}

const ownedStatement = {
  name: 'billing_customer_owned',
  text: 'select num_nonnulls(account_id, organization_id) > 0 as is_owned from customer where id = $1',
}

/** Stored subscriptions that were on no page. A fetch finds those newer than their page; the others are unknown. */
async function findUnknown(database: Database, source: SubscriptionSource, seen: readonly string[]): Promise<string[]> {
  const unknown: string[] = []
  for (const { id } of await database.query<{ id: string }>(unseenStatement, [seen, source.processor]))
    if (!(await source.fetch(id))) unknown.push(id)
  return unknown
}

const unseenStatement = {
  name: 'billing_unseen',
  text: `
select s.id from subscription s
join customer c on c.id = s.customer_id
where c.processor = $2 and not exists (select from unnest($1::text[]) seen (id) where seen.id = s.id)
order by s.id`,
}
