import type { Database, Rows } from '../platform/database/database.ts'
import { applyCustomerNews, ensureCustomer, linkWaitingCustomers } from './customers.ts'
import type { CustomerNews, Fetched, Snapshot, SubscriptionSource } from './events.ts'
import { holdSubject, writeSubscription } from './subscription-sql.ts'

/** One subscription that was not stored as the payment processor has it, and now is. */
export interface Repair {
  readonly id: string
  /** What was wrong, such as `status: active → canceled`, or `missing`. */
  readonly changes: readonly string[]
}

export interface SyncReport {
  readonly checked: number
  readonly repaired: readonly Repair[]
  /** Customers that got an owner. */
  readonly linked: readonly string[]
  /** Stored subscriptions that the payment processor does not know: they are left as they are, for an operator to judge. */
  readonly unknown: readonly string[]
}

export interface SyncOptions {
  readonly signal?: AbortSignal | undefined
  /** Told after every page. */
  readonly onProgress?: (progress: { readonly checked: number; readonly repaired: number }) => void
}

/**
 * Walks all subscriptions of the payment processor and repairs what differs here. A page only says which ones to look at: each
 * of them is asked for again, and written only if nobody wrote it meanwhile, so news that arrives during the walk is never undone.
 * Problems: `processor_…`; what was repaired until then stays repaired.
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
    for (const { customer, notBefore } of await findCustomerNews(database, page))
      if (await refreshCustomer(database, customer, notBefore)) linked.push(customer.id)
    seen.push(...page.map(({ snapshot }) => snapshot.id))
    onProgress?.({ checked: seen.length, repaired: repaired.length })
  }
  linked.push(...(await linkWaitingCustomers(database)))
  const unknown = await findUnknown(database, source, seen)
  await database.query(forgetEventsStatement, [])
  return { checked: seen.length, repaired, linked: [...new Set(linked)], unknown }
}

/** Stripe repeats an event for days at most; by hand it can be sent again for a month. */
const forgetEventsStatement = {
  name: 'billing_forget_events',
  text: `delete from billing_event where received_at < now() - interval '90 days'`,
}

interface StoredRow {
  readonly id: string
  readonly customer_id: string
  readonly price_ids: readonly string[]
  readonly status: string
  readonly revision: number
  readonly is_nameless: boolean
}

const storedStatement = {
  name: 'billing_stored',
  text: `
select s.id, s.customer_id, s.price_ids, s.status, s.revision,
       s.product_name is null
         and not exists (select from plan_price where price_id = s.price_id) as is_nameless
from subscription s
where s.id = any ($1)`,
}

async function readStored(rows: Rows, ids: readonly string[]): Promise<ReadonlyMap<string, StoredRow>> {
  const found = await rows.query<StoredRow>(storedStatement, [ids])
  return new Map(found.map((row) => [row.id, row]))
}

async function findDifferent(database: Database, page: readonly Fetched[]): Promise<string[]> {
  const rows = await readStored(
    database,
    page.map(({ snapshot }) => snapshot.id),
  )
  return page
    .filter(({ snapshot }) => differences(rows.get(snapshot.id), snapshot).length > 0)
    .map(({ snapshot }) => snapshot.id)
}

/** A name that is wanted and not stored is a difference too: pages do not bring names, a fetch does. */
function differences(row: StoredRow | undefined, snapshot: Snapshot): string[] {
  if (!row) return ['missing']
  const told = (name: string, from: string, to: string) => (from === to ? [] : [`${name}: ${from || 'none'} → ${to}`])
  const changes = [
    ...told('status', row.status, snapshot.status),
    ...told('customer', row.customer_id, snapshot.customerId),
    ...told('prices', row.price_ids.join(', '), snapshot.priceIds.join(', ')),
  ]
  return changes.length === 0 && row.is_nameless ? ['product name: none'] : changes
}

/** Overtaken more often than this, a subscription is left to the news that overtakes. */
const triesMax = 5

async function repairSubscription(
  database: Database,
  source: SubscriptionSource,
  id: string,
): Promise<Repair | undefined> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = (await readStored(database, [id])).get(id)
    const fetched = await source.fetch(id)
    if (!fetched) return undefined
    const changes = differences(before, fetched.snapshot)
    if (changes.length === 0) return undefined
    const isWritten = await database.transaction(async (rows) => {
      await holdSubject(rows, id)
      if ((await readStored(rows, [id])).get(id)?.revision !== before?.revision) return false
      await ensureCustomer(rows, fetched.snapshot.customerId, source.processor)
      return writeSubscription(rows, fetched.snapshot, { notBefore: fetched.notBefore, isNewest: true })
    })
    if (isWritten) return { id, changes }
  }
  return undefined
}

/** The customers of a page of whom it says something else than what is stored. Without a time it cannot be told what is newer. */
async function findCustomerNews(
  database: Database,
  page: readonly Fetched[],
): Promise<{ customer: CustomerNews; notBefore: string }[]> {
  const told = page.flatMap(({ customer, notBefore }) => {
    const [best] = customer.claims.toSorted((a, b) => b.rank - a.rank)
    if (notBefore === undefined || (!best && !customer.isDeleted)) return []
    return [{ customer, notBefore, best, isDeleted: customer.isDeleted ?? false }]
  })
  const found = await database.query<{ n: number }>(customerNewsStatement, [
    told.map(({ customer }) => customer.id),
    told.map(({ best }) => best?.kind ?? null),
    told.map(({ best }) => best?.value ?? null),
    told.map(({ best }) => best?.rank ?? null),
    told.map(({ isDeleted }) => isDeleted),
  ])
  const places = new Set(found.map(({ n }) => n))
  return told.filter((_, index) => places.has(index + 1))
}

const customerNewsStatement = {
  name: 'billing_customer_news',
  text: `
select told.n::int
from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::boolean[]) with ordinality
     told (id, kind, value, rank, is_deleted, n)
left join customer c on c.id = told.id
where (told.is_deleted and c.deleted_at is null)
   or (told.kind is not null and coalesce(c.claim_rank, 0) <= told.rank
       and (c.claim_kind, c.claim_value) is distinct from (told.kind, told.value))`,
}

/** Writes what the processor knows of a customer; answers whether it has an owner by what was said of it. */
async function refreshCustomer(database: Database, customer: CustomerNews, at: string): Promise<boolean> {
  return database.transaction(async (rows) => {
    await applyCustomerNews(rows, customer, at)
    const [owned] = await rows.query<{ is_owned: boolean }>(ownedStatement, [customer.id])
    return customer.claims.length > 0 && owned?.is_owned === true
  })
}

const ownedStatement = {
  name: 'billing_customer_owned',
  text: 'select num_nonnulls(account_id, organization_id) > 0 as is_owned from customer where id = $1',
}

/** Subscriptions that no page had: those made meanwhile are asked for, and what then is not there is unknown. */
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
