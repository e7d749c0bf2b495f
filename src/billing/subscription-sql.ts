import type { Rows } from '../platform/database/database.ts'
import { lockStatement } from '../platform/database/named-locks.ts'
import type { Position, Snapshot, WebhookEvent } from './events.ts'

/** The stored state on which the outcome of an event depends. */
export interface StoredState {
  /** The event is in the log. */
  readonly is_known: boolean
  /** From the stored subscription; null if there is none. */
  readonly status: string | null
  readonly revision: number | null
  /** The stored snapshot has the same time and rank. */
  readonly is_tie: boolean
  /** None of the event's prices has a plan, and no product name is stored to show instead. */
  readonly is_nameless: boolean
}

/** Locks the subscription or customer on all nodes until the end of the transaction. */
export async function lockSubject(rows: Rows, id: string): Promise<void> {
  await rows.query(subjectLock, [id])
}

/**
 * One of 1,024 lock names, because a row per subscription would be too many. Two that share a name sometimes wait for each other; no
 * transaction takes two of them.
 */
const subjectLock = lockStatement('billing_subject_lock', `'billing ' || (hashtextextended($1::text, 0) & 1023)`)

export async function readState(rows: Rows, { eventId, at, subscription, hint }: WebhookEvent): Promise<StoredState> {
  const id = subscription?.snapshot.id ?? hint?.subscriptionId ?? null
  const priceIds = subscription?.snapshot.items.map(({ priceId }) => priceId) ?? []
  const [state] = await rows.query<StoredState>(stateStatement, [eventId, id, at, subscription?.rank ?? null, priceIds])
  if (!state) throw new Error('a statement without a table returned no row')
  return state
}

const stateStatement = {
  name: 'billing_state',
  text: `
select exists (select from billing_event where id = $1) as is_known,
       s.status, s.revision,
       coalesce((s.seen_at, s.seen_rank) = ($3::timestamptz, $4::smallint), false) as is_tie,
       ($5::text[])[1] is not null
         and not exists (select from plan_price where price_id = any ($5::text[]))
         and (s.product_name is null or s.price_ids[1] is distinct from ($5::text[])[1]) as is_nameless
from (values ($2::text)) asked (id)
left join subscription s on s.id = asked.id`,
}

/** What is known about a snapshot's age. */
interface SnapshotAge {
  /** The position of the event that contains the snapshot. */
  readonly position?: Position | undefined
  /** The snapshot was fetched and is no older than this. */
  readonly notBefore?: string | undefined
  /** The snapshot was fetched after the stored row was read, so it is no older than the row. */
  readonly isNewest?: boolean
}

/** Writes a snapshot unless the stored one is newer; returns whether it did. The customer must exist. */
export async function writeSubscription(
  rows: Rows,
  snapshot: Snapshot,
  { position, notBefore, isNewest = false }: SnapshotAge,
): Promise<boolean> {
  const { id, customerId, items, hasUnreadItems = false, productName, status, createdAt } = snapshot
  const written = await rows.query(writeStatement, [
    id,
    customerId,
    items.map(({ priceId }) => priceId),
    productName ?? null,
    status,
    createdAt,
    position?.at ?? null,
    position?.rank ?? null,
    notBefore ?? null,
    isNewest,
    items.map(({ quantity }) => quantity ?? null),
    hasUnreadItems,
    snapshot.currentPeriodEnd ?? null,
    snapshot.cancelAtPeriodEnd ?? null,
    snapshot.trialEnd ?? null,
  ])
  return written.length > 0
}

/** SQL expression: the stored items that a snapshot with unread items does not contain. They stay, after those that it contains. */
const unread = (member: 'price_id' | 'quantity') => `array(
        select ${member} from unnest(s.price_ids, s.quantities) with ordinality item (price_id, quantity, n)
        where $12 and price_id <> all (excluded.price_ids) order by n)`

/**
 * $1 subscription, $2 customer, $3 prices, $4 product name, $5 status, $6 created, $7 and $8 the event's position, $9 and $10 for a fetched
 * snapshot: a time that it is no older than, and whether it is no older than the stored row. $11 quantities, $12 whether there are unread
 * items, $13 end of the period, $14 whether it ends then, $15 end of the trial. Of two events with the same position, one never moves the
 * period backwards.
 */
const writeStatement = {
  name: 'billing_write',
  text: `
with position as (
  select at, rank
  from (values ($7::timestamptz, $8::smallint), ($9::timestamptz, 1::smallint),
               -- Without either, no older than itself.
               (case when $7 is null and $9 is null then $6::timestamptz end, 0::smallint)) p (at, rank)
  where at is not null
  union all
  select seen_at, seen_rank from subscription where id = $1 and $10
  order by at desc, rank desc
  limit 1
)
insert into subscription as s
  (id, customer_id, price_ids, quantities, product_name, status, created_at, current_period_end, cancel_at_period_end, trial_end,
   seen_at, seen_rank)
select $1, $2, $3::text[], $11::int[], $4, $5, $6::timestamptz, $13::timestamptz, $14::boolean, $15::timestamptz, position.at, position.rank
from position
on conflict (id) do update
  set customer_id = excluded.customer_id, price_ids = excluded.price_ids || ${unread('price_id')},
      quantities = excluded.quantities || ${unread('quantity')},
      product_name = case when excluded.price_ids[1] <> s.price_ids[1]
        then excluded.product_name else coalesce(excluded.product_name, s.product_name) end,
      status = excluded.status, created_at = excluded.created_at, current_period_end = excluded.current_period_end,
      cancel_at_period_end = excluded.cancel_at_period_end, trial_end = excluded.trial_end,
      seen_at = excluded.seen_at, seen_rank = excluded.seen_rank, revision = s.revision + 1
  where (s.seen_at, s.seen_rank) < (excluded.seen_at, excluded.seen_rank)
     or (s.seen_at, s.seen_rank) = (excluded.seen_at, excluded.seen_rank)
        and ($10 or coalesce(s.current_period_end <= excluded.current_period_end, true))
returning 1`,
}

export async function isLogged(rows: Rows, eventId: string): Promise<boolean> {
  return (await rows.query(loggedStatement, [eventId])).length > 0
}

const loggedStatement = { name: 'billing_logged', text: 'select from billing_event where id = $1' }

/** A repetition of a logged event changes nothing. */
export async function logEvent(rows: Rows, event: WebhookEvent, isApplied: boolean): Promise<void> {
  const subscriptionId = event.subscription?.snapshot.id ?? event.hint?.subscriptionId ?? null
  await rows.query(logStatement, [event.eventId, event.type, subscriptionId, event.at, isApplied])
}

const logStatement = {
  name: 'billing_log',
  text: 'insert into billing_event (id, type, subscription_id, created, applied) values ($1, $2, $3, $4, $5)',
}
