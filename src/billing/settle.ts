import type { Database, Rows } from '../platform/database/database.ts'
import { Problem, refuse } from '../platform/problems.ts'
import { applyCustomerNews, ensureCustomer } from './customers.ts'
import type { Fetched, News, SubscriptionSource } from './events.ts'
import { holdSubject, isLogged, logEvent, readState, type State, writeSubscription } from './subscription-sql.ts'
import type { eventOutcomes } from './webhook-contract.ts'

export type EventOutcome = (typeof eventOutcomes)[number]

/** A fetch that others overtook is made again; more often than this means that something is wrong. */
const fetchesMax = 5

/**
 * Writes what an event tells, so that the rows end up right in whatever order, how often and how much at once events come.
 * Resolves when it is committed. Problems: `processor_…` where the event cannot be judged without asking and asking fails: nothing
 * is written then, so that the event's repetition is not taken for known.
 *
 * The rule: a snapshot is written if it is not older than the one that is stored, by (time, rank). Two snapshots of the same time and
 * rank cannot be told apart: then the subscription is asked for, outside of any transaction, and the answer is written if nobody
 * changed the row meanwhile. The position of an answer is the highest that it is known to be no older than.
 */
export async function settle(database: Database, news: News, source?: SubscriptionSource): Promise<EventOutcome> {
  const subjectId = subscriptionOf(news) ?? news.customer?.id
  if (subjectId === undefined) return 'ignored'
  // Without waiting for anybody: a hundred copies must not queue for the lock, each with a connection in hand.
  if (await isLogged(database, news.eventId)) return 'repeated'
  let answer: Answer | undefined
  for (let fetches = 0; fetches <= fetchesMax; fetches += 1) {
    const known = answer
    const step = await database.transaction((rows) => write(rows, subjectId, news, source && { source, known }))
    if (typeof step === 'string') return step
    answer = { toRevision: step.revision, fetched: await ask(step, subjectId) }
  }
  return refuse('overloaded', { retryAfterSeconds: 5 })
}

function subscriptionOf({ subscription, hint }: News): string | undefined {
  return subscription?.snapshot.id ?? hint?.subscriptionId
}

/** What a fetch brought, and the revision of the row that it was made for. */
interface Answer {
  readonly toRevision: number | undefined
  readonly fetched: Fetched | undefined
}

interface Ask {
  readonly source: SubscriptionSource
  readonly revision: number | undefined
  readonly isNeeded: boolean
}

/** A name is only to be shown: without it the event is good enough, so a failure to get it is no failure. */
async function ask({ source, isNeeded }: Ask, subscriptionId: string): Promise<Fetched | undefined> {
  try {
    return await source.fetch(subscriptionId)
  } catch (error) {
    if (isNeeded || !(error instanceof Problem)) throw error
    return undefined
  }
}

/** One try, in a transaction: an outcome, or the question that must be asked first, with nothing written. */
async function write(
  rows: Rows,
  subjectId: string,
  news: News,
  asking: { source: SubscriptionSource; known: Answer | undefined } | undefined,
): Promise<EventOutcome | Ask> {
  await holdSubject(rows, subjectId)
  const state = await readState(rows, news)
  if (state.is_known) return 'repeated'
  const reason = reasonToAsk(news, state)
  const revision = state.revision ?? undefined
  const isAnswered = asking?.known && asking.known.toRevision === revision
  if (reason && asking && !isAnswered) return { source: asking.source, revision, isNeeded: reason !== 'name' }

  const fetched = isAnswered ? asking.known?.fetched : undefined
  const isApplied = await writeParts(rows, news, fetched)
  await logEvent(rows, news, isApplied)
  if (isApplied) return 'applied'
  return news.subscription ? 'older' : 'noted'
}

/** `tie`: it cannot be told which is newer. `hint`: the row is missing or says something else. `name`: a price without a plan or name. */
function reasonToAsk(news: News, state: State): 'tie' | 'hint' | 'name' | undefined {
  if (news.subscription) {
    if (state.is_tie) return 'tie'
    return state.is_nameless && !news.subscription.snapshot.productName ? 'name' : undefined
  }
  const { hint } = news
  if (!hint) return undefined
  const isSurprising = state.status === null || (hint.expected && !hint.expected.includes(state.status))
  return isSurprising ? 'hint' : undefined
}

/** Whether anything about a subscription or a customer changed. */
async function writeParts(rows: Rows, news: News, fetched: Fetched | undefined): Promise<boolean> {
  const { subscription, customer, at } = news
  const payers = [fetched?.snapshot.customerId, subscription?.snapshot.customerId, customer?.id]
  // In one order everywhere, so that two transactions cannot wait for each other.
  for (const id of [...new Set(payers)].filter((payer) => payer !== undefined).sort())
    await ensureCustomer(rows, id, news.processor)
  const position = subscription && { at, rank: subscription.rank }
  let isApplied = false
  if (fetched)
    isApplied = await writeSubscription(rows, fetched.snapshot, {
      position,
      notBefore: fetched.notBefore,
      isNewest: true,
    })
  else if (subscription) isApplied = await writeSubscription(rows, subscription.snapshot, { position })
  if (fetched && (await applyCustomerNews(rows, fetched.customer, fetched.notBefore ?? at))) isApplied = true
  if (customer && (await applyCustomerNews(rows, customer, at))) isApplied = true
  return isApplied
}
