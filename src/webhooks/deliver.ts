import type { Logger } from 'pino'
import type { IssuerNames } from '../identity/issuers/names.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { Sealing } from '../platform/mail/outbox.ts'
import type { Proxies } from '../platform/outgoing/proxies.ts'
import { packageVersion } from '../platform/package-root.ts'
import { startWorkLoop } from '../platform/work-loop.ts'
import { type DisabledWhy, disableEndpoint, failingLong, note } from './endpoints.ts'
import type { WebhookSettings } from './settings.ts'
import { signedHeaders, unsealSecret } from './signing.ts'
import { type Answered, openSending, type Sending } from './target.ts'

/** Sends webhooks in the background until it is stopped. Deliveries in progress then have some seconds to finish. */
export async function startWebhookLoop(
  parts: Omit<DeliveringParts, 'sending'> & { readonly settings: WebhookSettings; readonly proxies: Proxies },
): Promise<{ stop(): Promise<void> }> {
  const sending = await openSending(parts.settings, parts)
  const work = { ...createDelivering({ ...parts, sending }), close: () => sending.close() }
  return startWorkLoop(work, (error) => parts.log.warn({ err: error }, 'sending webhooks failed'))
}

interface Delivering {
  /** Starts to send what is due, for all endpoints in parallel, and waits for none. */
  run(signal?: AbortSignal): Promise<void>
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>
}

interface DeliveringParts {
  readonly database: Database
  readonly sealing: Pick<Sealing, 'decrypt'>
  readonly issuers: Pick<IssuerNames, 'shown'>
  readonly sending: Pick<Sending, 'send'>
  readonly now: Clock
  readonly log: Pick<Logger, 'warn'>
}

/** Parallel deliveries to one endpoint from this node. */
const parallelMax = 4
/** How long a node reserves a delivery: longer than an attempt takes. Afterwards another node sends the deliveries of a killed one. */
const leaseSeconds = 60

/**
 * Sends what is due. Several nodes share the work: one node reserves each delivery. Delivery is at least once: it repeats if the node was
 * killed after the receiver accepted it, or if the response was lost. Each endpoint has its own lane, so that a slow one delays no other.
 */
export function createDelivering(parts: DeliveringParts): Delivering {
  const lanes = new Map<string, Promise<void>>()
  const open = async (endpointId: string, signal: AbortSignal | undefined) => {
    try {
      await deliverTo(parts, endpointId, signal)
    } catch (error) {
      parts.log.warn({ err: error, endpoint: endpointId }, 'sending webhooks failed')
    } finally {
      lanes.delete(endpointId)
    }
  }
  return {
    async run(signal) {
      const due = await parts.database.query<{ id: string }>(dueStatement, [])
      for (const { id } of due) if (!lanes.has(id)) lanes.set(id, open(id, signal))
    },
    async settled() {
      await Promise.all(lanes.values())
    },
  }
}

async function deliverTo(parts: DeliveringParts, endpointId: string, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const values = [endpointId, parallelMax, leaseSeconds]
    const taken = await parts.database.query<TakenDelivery>(takeStatement, values)
    if (taken.length === 0) return
    await Promise.all(taken.map((delivery) => deliver(parts, { ...delivery, endpointId })))
  }
}

interface TakenDelivery {
  readonly id: string
  readonly tries: number
  readonly event_id: string
  readonly type: string
  readonly at: string
  readonly data: object
  readonly url: string
  readonly secret: Buffer
  /** The previous secret, while it is valid. */
  readonly previous_secret: Buffer | null
}

type Delivery = TakenDelivery & { readonly endpointId: string }

async function deliver(parts: DeliveringParts, delivery: Delivery): Promise<void> {
  const answer = await trySending(parts, delivery)
  if ('status' in answer && answer.status >= 200 && answer.status < 300) {
    await parts.database.query(deliveredStatement, [delivery.id, answer.status])
    return
  }
  const { isLong } = await noteFailure(parts, delivery, answer)
  if ('status' in answer && answer.status === 410) await disable(parts, delivery.endpointId, 'gone')
  else if (isLong) await disable(parts, delivery.endpointId, 'failing')
}

async function trySending({ sealing, sending, issuers, now }: DeliveringParts, delivery: Delivery): Promise<Answered> {
  const { endpointId, event_id: id, type, at, data, url } = delivery
  const sealed = [delivery.secret, ...(delivery.previous_secret ? [delivery.previous_secret] : [])]
  let headers: ReturnType<typeof signedHeaders>
  const body = JSON.stringify({ type, timestamp: at, data: issuers.shown(data) })
  try {
    const secrets = sealed.map((one) => unsealSecret(sealing, endpointId, one))
    headers = signedHeaders({ id, timestampSeconds: Math.floor(now() / 1_000), body }, secrets)
  } catch {
    // An operator replaced the encryption key without keeping the previous one.
    return { fault: 'SECRET_NOT_DECRYPTABLE' }
  }
  return sending.send({
    url,
    headers: { 'content-type': 'application/json', 'user-agent': `Muster/${packageVersion()}`, ...headers },
    body,
  })
}

/** Returns whether the endpoint has failed for so long that it must be disabled. */
async function noteFailure({ database, log }: DeliveringParts, delivery: Delivery, answer: Answered) {
  const { id, tries, endpointId } = delivery
  const status = 'status' in answer ? answer.status : null
  const fault = 'fault' in answer ? answer.fault : null
  const proxy = 'fault' in answer ? answer.proxy : undefined
  const pause = pauseAfter(tries, { retryAfterSeconds: 'status' in answer ? answer.retryAfterSeconds : undefined })
  const values = [id, tries, status, fault, pause ?? null]
  const [recorded] = await database.query<{ began: boolean; is_long: boolean }>(failedStatement, values)
  // Do not log the address, which may be a secret of its receiver.
  if (recorded?.began) log.warn({ endpoint: endpointId, status, fault, proxy }, 'webhook endpoint is failing')
  return { isLong: recorded?.is_long === true }
}

async function disable({ database, log }: DeliveringParts, endpointId: string, why: DisabledWhy): Promise<void> {
  await database.transaction(async (rows) => {
    if (!(await disableEndpoint(rows, endpointId, why))) return
    await note(rows, 'service', { action: 'webhook_endpoint.disabled', id: endpointId, details: { why } })
    log.warn({ endpoint: endpointId, why }, 'webhook endpoint disabled')
  })
}

const dueStatement = {
  name: 'webhooks_due',
  text: `
select e.id from webhook_endpoint e
where e.disabled_at is null
  and exists (select from webhook_delivery d where d.endpoint_id = e.id and d.state = 'pending' and d.next_at <= now())`,
}

/** $1 endpoint, $2 maximum deliveries, $3 seconds of the reservation. */
const takeStatement = {
  name: 'webhook_take',
  text: `
with due as (
  select d.id from webhook_delivery d
  where d.endpoint_id = $1 and d.state = 'pending' and d.next_at <= now()
    and exists (select from webhook_endpoint e where e.id = $1 and e.disabled_at is null)
  order by d.next_at
  limit $2::int
  for update of d skip locked
), taken as (
  update webhook_delivery d set tries = d.tries + 1, tried_at = now(), next_at = now() + make_interval(secs => $3)
  from due where d.id = due.id
  returning d.id, d.event_id, d.tries
)
select t.id, t.tries, t.event_id, v.type, ${utcText('v.at')} as at, v.data, e.url, e.secret,
       case when e.previous_until > now() then e.previous_secret end as previous_secret
from taken t join webhook_event v on v.id = t.event_id join webhook_endpoint e on e.id = $1`,
}

/**
 * Also if the endpoint was disabled meanwhile, because the receiver has it. The counts in this statement and the next
 * one make PostgreSQL lock the endpoint before the delivery, as every change of an endpoint does.
 */
const deliveredStatement = {
  name: 'webhook_delivered',
  text: `
with healed as (
  update webhook_endpoint e set failing_since = null from webhook_delivery d
  where d.id = $1 and e.id = d.endpoint_id and e.failing_since is not null
  returning 1
), done as (
  update webhook_delivery set state = 'delivered', status = $2, fault = null
  where id = $1 and (select count(*) from healed) >= 0
  returning 1
)
insert into webhook_total (outcome, tries) select 'delivered', 1 from done
on conflict (outcome) do update set tries = webhook_total.tries + 1`,
}

/** $1 delivery, $2 the attempt, $3 status or $4 fault, $5 seconds until the next attempt, or null after the last one. */
const failedStatement = {
  name: 'webhook_failed',
  text: `
with began as (
  update webhook_endpoint e set failing_since = now() from webhook_delivery d
  where d.id = $1 and d.tries = $2 and d.state = 'pending' and e.id = d.endpoint_id and e.failing_since is null
  returning 1
), later as (
  update webhook_delivery
  set status = $3, fault = $4, state = case when $5::float8 is null then 'failed' else 'pending' end,
      next_at = now() + make_interval(secs => coalesce($5::float8, 0))
  where id = $1 and tries = $2 and state = 'pending' and (select count(*) from began) >= 0
  returning endpoint_id
), counted as (
  insert into webhook_total (outcome, tries) select case when $5::float8 is null then 'failed' else 'retried' end, 1 from later
  on conflict (outcome) do update set tries = webhook_total.tries + 1
)
select exists (select from began) as began,
       exists (select from later join webhook_endpoint e on e.id = later.endpoint_id
               where ${failingLong('e')}) as is_long`,
}

/** Seconds after each failed attempt: ten attempts within 76 hours. The schedule of Standard Webhooks. */
export const pausesSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** A receiver may ask for more time than the schedule has, up to a day. */
const retryAfterSecondsMax = 86_400
/** Jitter of at most a fifth of the pause, so that failed deliveries do not return together. */
const jitter = 0.2

/** Seconds until the next attempt after `tries` failures; `undefined` after the last one. */
function pauseAfter(
  tries: number,
  {
    retryAfterSeconds = 0,
    random = Math.random(),
  }: { readonly retryAfterSeconds?: number | undefined; readonly random?: number } = {},
): number | undefined {
  const pause = pausesSeconds[tries - 1]
  if (pause === undefined) return undefined
  return Math.max(pause * (1 + jitter * random), Math.min(retryAfterSeconds, retryAfterSecondsMax))
}
