import type { Database, Rows } from '../platform/database/database.ts'
import { Problem, refuse } from '../platform/problems.ts'
import type { eventOutcomes } from './contract.ts'
import { applyCustomerUpdate, ensureCustomer } from './customers.ts'
import type { WebhookEvent } from './events.ts'
import type { FetchedSubscription, SubscriptionApi } from './processor.ts'
import { isLogged, lockSubject, logEvent, readState, type StoredState, writeSubscription } from './subscription-sql.ts'

export type EventOutcome = (typeof eventOutcomes)[number]

/** The processor that sent an event, and its API if a key is configured. */
interface EventSender {
  readonly processor: string
  readonly api?: SubscriptionApi | undefined
}

/** A fetch is repeated if the row changed meanwhile. More repetitions than this are an error. */
const fetchesMax = 5

/**
 * Applies an event so that the rows are correct whatever the order, number and concurrency of deliveries. Resolves when
 * it is committed. Throws `processor_…` if a required fetch fails. Nothing is written then, so that the processor's
 * redelivery counts as new.
 *
 * The rule: a snapshot is written unless it is older than the stored one, by (time, rank). If two snapshots have the
 * same time and rank, the order is unknown. Then the subscription is fetched outside of any transaction, and written
 * unless the row changed meanwhile. A fetched snapshot gets the newest position that it is known to be no older than.
 */
export async function applyEvent(database: Database, event: WebhookEvent, sender: EventSender): Promise<EventOutcome> {
  const subjectId = subscriptionOf(event) ?? event.customer?.id
  if (subjectId === undefined) return 'ignored'
  // Before the lock, so that a hundred copies do not each hold a connection while they wait for it.
  if (await isLogged(database, event.eventId)) return 'repeated'
  let fetched: Fetch | undefined
  for (let fetches = 0; ; fetches += 1) {
    const known = fetched
    const step = await database.transaction((rows) => write(rows, { subjectId, event, sender, known }))
    if (typeof step === 'string') return step
    if (fetches === fetchesMax) return refuse('overloaded', { retryAfterSeconds: 5 })
    fetched = { revision: step.revision, subscription: await fetchSubscription(step, subjectId) }
  }
}

function subscriptionOf({ subscription, hint }: WebhookEvent): string | undefined {
  return subscription?.snapshot.id ?? hint?.subscriptionId
}

/** The result of a fetch, and the revision of the row before it. */
interface Fetch {
  readonly revision: number | undefined
  readonly subscription: FetchedSubscription | undefined
}

interface FetchNeeded {
  readonly api: SubscriptionApi
  readonly revision: number | undefined
  readonly reason: FetchReason
}

/**
 * `tie`: the order is unknown. `items`: the event does not contain all items. `hint`: the row is missing or has an unexpected status.
 * `name`: a price has neither plan nor name.
 */
type FetchReason = 'tie' | 'items' | 'hint' | 'name'

/** Without a name or further items, the event still applies: it is not held back if their fetch fails. */
async function fetchSubscription(
  { api, reason }: FetchNeeded,
  subscriptionId: string,
): Promise<FetchedSubscription | undefined> {
  try {
    return await api.fetch(subscriptionId)
  } catch (error) {
    if ((reason !== 'name' && reason !== 'items') || !(error instanceof Problem)) throw error
    return undefined
  }
}

interface Attempt {
  readonly subjectId: string
  readonly event: WebhookEvent
  readonly sender: EventSender
  readonly known: Fetch | undefined
}

/** One attempt in a transaction. Returns an outcome, or the fetch that is needed first; then nothing is written. */
async function write(rows: Rows, { subjectId, event, sender, known }: Attempt): Promise<EventOutcome | FetchNeeded> {
  await lockSubject(rows, subjectId)
  const state = await readState(rows, event)
  if (state.is_known) return 'repeated'
  const reason = reasonToFetch(event, state)
  const revision = state.revision ?? undefined
  const isFetched = known !== undefined && known.revision === revision
  if (reason && sender.api && !isFetched) return { api: sender.api, revision, reason }

  const isApplied = await writeParts(rows, event, sender.processor, isFetched ? known.subscription : undefined)
  await logEvent(rows, event, isApplied)
  if (isApplied) return 'applied'
  return event.subscription ? 'older' : 'noted'
}

function reasonToFetch({ subscription, hint }: WebhookEvent, state: StoredState): FetchReason | undefined {
  if (subscription) {
    if (state.is_tie) return 'tie'
    if (subscription.snapshot.hasUnreadItems) return 'items'
    return state.is_nameless && !subscription.snapshot.productName ? 'name' : undefined
  }
  if (!hint) return undefined
  const isUnexpected = state.status === null || (hint.expected && !hint.expected.includes(state.status))
  return isUnexpected ? 'hint' : undefined
}

/** Returns whether a subscription or a customer changed. */
async function writeParts(
  rows: Rows,
  { subscription, customer, at }: WebhookEvent,
  processor: string,
  fetched: FetchedSubscription | undefined,
): Promise<boolean> {
  const customerIds = [fetched?.snapshot.customerId, subscription?.snapshot.customerId, customer?.id]
  // Always in the same order, to avoid deadlocks.
  for (const id of [...new Set(customerIds)].filter((found) => found !== undefined).sort())
    await ensureCustomer(rows, id, processor)
  const position = subscription && { at, rank: subscription.rank }
  let isApplied = false
  if (fetched) {
    const age = { position, notBefore: fetched.notBefore, isNewest: true }
    isApplied = await writeSubscription(rows, fetched.snapshot, age)
  } else if (subscription) isApplied = await writeSubscription(rows, subscription.snapshot, { position })
  if (fetched && (await applyCustomerUpdate(rows, fetched.customer, fetched.notBefore ?? at))) isApplied = true
  if (customer && (await applyCustomerUpdate(rows, customer, at))) isApplied = true
  return isApplied
}
