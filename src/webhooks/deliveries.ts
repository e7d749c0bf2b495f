import type { ChangedBy } from '../identity/administrators.ts'
import { boundStatement, type Database, type Rows } from '../platform/database/database.ts'
import { utcText } from '../platform/database/utc-text.ts'
import type { PageRow, Position } from '../platform/http/cursors.ts'
import { refuse } from '../platform/problems.ts'
import { note, requireEnabled, requireEndpoint } from './endpoints.ts'
import { testEventType } from './event-types.ts'

interface DeliveriesQuestion {
  readonly endpointId: string
  readonly state: string | undefined
  readonly after: Position
  readonly limit: number
  /** A page before a position is read oldest first and shown newest first. */
  readonly isBefore: boolean
}

/** One page, as the JSON text of `WebhookDeliveries`. */
export async function readDeliveriesPage(rows: Rows, question: DeliveriesQuestion): Promise<PageRow> {
  const { statement, values } = deliveriesStatement(question)
  const [page] = await rows.query<PageRow>(statement, values)
  if (!page) throw new Error('The statement for a page returned no row.')
  return page
}

/** Each order has an index, with and without the state. */
export function deliveriesStatement({ endpointId, state, after, limit, isBefore }: DeliveriesQuestion) {
  const [by, comparison] = isBefore ? ['asc', '>'] : ['desc', '<']
  return boundStatement('webhook_deliveries_page', (add) => {
    const position = `(${add(after[0])}::timestamptz, ${add(after[1])}::uuid)`
    const size = `${add(limit)}::int`
    const ofState = state === undefined ? '' : `and d.state = ${add(state)}`
    return `
with page as materialized (
  select d.id, d.created_at as key, row_number() over (order by d.created_at ${by}, d.id ${by}) as n
  from webhook_delivery d
  where d.endpoint_id = ${add(endpointId)} ${ofState} and (d.created_at, d.id) ${comparison} ${position}
  order by d.created_at ${by}, d.id ${by}
  limit ${size} + 1
)
select json_build_object('deliveries', coalesce((
         select json_agg(${deliveryRecord} order by q.key desc, q.id desc)
         from page q join webhook_delivery d on d.id = q.id join webhook_event e on e.id = d.event_id
         where q.n <= ${size}), '[]'))::text as body,
       (select json_build_array(key, id)::text from page where n = 1) as first,
       (select json_build_array(key, id)::text from page
        where n = ${size} and exists (select from page where n > ${size})) as next`
  })
}

/** Each as JSON text of a `WebhookDelivery`, newest first. Throws `webhook_endpoint_unknown`. */
export async function* streamDeliveries(database: Database, endpointId: string): AsyncGenerator<readonly string[]> {
  await requireEndpoint(database, endpointId)
  yield* database.stream(streamStatement, [endpointId])
}

const deliveryRecord = `json_strip_nulls(json_build_object(
         'id', d.id, 'eventId', d.event_id, 'type', e.type, 'subject', e.subject, 'state', d.state, 'tries', d.tries,
         'createdAt', ${utcText('d.created_at')}, 'triedAt', ${utcText('d.tried_at')},
         'nextAt', case when d.state = 'pending' then ${utcText('d.next_at')} end, 'status', d.status, 'fault', d.fault))`

const streamStatement = {
  name: 'webhook_deliveries_all',
  text: `
select (${deliveryRecord})::text from webhook_delivery d join webhook_event e on e.id = d.event_id
where d.endpoint_id = $1 order by d.created_at desc, d.id desc`,
}

/** Throws the problems of `requireEnabled`. */
export function sendTestEvent(database: Database, by: ChangedBy, endpointId: string): Promise<number> {
  return database.transaction(async (rows) => {
    await requireEnabled(rows, by, endpointId)
    await rows.query(testStatement, [endpointId, testEventType])
    await note(rows, by, { action: 'webhook_endpoint.tested', id: endpointId, details: {} })
    return 1
  })
}

/** Throws `webhook_delivery_unknown` and the problems of `requireEnabled`. */
export function replayDelivery(
  database: Database,
  by: ChangedBy,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<number> {
  return replay(database, by, endpointId, async (rows) => {
    const replayed = await rows.query(replayOneStatement, [endpointId, deliveryId])
    if (replayed.length === 0) refuse('webhook_delivery_unknown')
    return 1
  })
}

/** Sends failed deliveries since a time again, and returns their number. Throws the problems of `requireEnabled`. */
export function replayFailed(
  database: Database,
  by: ChangedBy,
  { endpointId, since }: { readonly endpointId: string; readonly since: string },
): Promise<number> {
  return replay(database, by, endpointId, async (rows) => {
    const [counted] = await rows.query<{ count: number }>(replayFailedStatement, [endpointId, since])
    return counted?.count ?? 0
  })
}

function replay(
  database: Database,
  by: ChangedBy,
  endpointId: string,
  work: (rows: Rows) => Promise<number>,
): Promise<number> {
  return database.transaction(async (rows) => {
    await requireEnabled(rows, by, endpointId)
    const deliveries = await work(rows)
    await note(rows, by, { action: 'webhook_endpoint.replayed', id: endpointId, details: { deliveries } })
    return deliveries
  })
}

/** No endpoint subscribes to this type, so the trigger writes no delivery. */
const testStatement = {
  name: 'webhook_test',
  text: `
with event as (
  insert into webhook_event (type, subject, data) values ($2, $1::uuid::text, '{}') returning id
)
insert into webhook_delivery (endpoint_id, event_id) select $1, id from event`,
}

const again = `state = 'pending', tries = 0, next_at = now(), status = null, fault = null`

const replayOneStatement = {
  name: 'webhook_replay_one',
  text: `update webhook_delivery set ${again} where endpoint_id = $1 and id = $2 returning id`,
}

const replayFailedStatement = {
  name: 'webhook_replay_failed',
  text: `
with again as (
  update webhook_delivery set ${again}
  where endpoint_id = $1 and state = 'failed' and created_at >= $2::timestamptz
  returning 1
)
select count(*)::int as count from again`,
}
