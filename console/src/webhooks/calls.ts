import { type Schemas, unwrap } from '@muster/client'
import { queryOptions } from '@tanstack/react-query'
import { muster } from '../session/muster.ts'
import { queries } from '../session/queries.ts'
import { withStepUp } from '../step-up/with-step-up.ts'
import { cursorsOf } from '../ui/pages.tsx'

type DeliveryState = Schemas['WebhookDelivery']['state']

/** Which deliveries, as the address bar has it. What is not known there is left out. */
export interface DeliveriesSearch {
  readonly state?: DeliveryState
  readonly cursor?: string
}

export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'failed']

export function deliveriesSearch({ state, cursor }: Readonly<Record<string, unknown>>): DeliveriesSearch {
  const known = deliveryStates.find((one) => one === state)
  return { ...(known && { state: known }), ...(typeof cursor === 'string' && cursor !== '' && { cursor }) }
}

/** As in the list: with the host of its address only. */
export type Endpoint = Schemas['ListedWebhookEndpoint']
export type EndpointWithSecret = Schemas['WebhookEndpointWithSecret']
export type NewEndpoint = Schemas['NewWebhookEndpoint']
type EndpointChange = Schemas['WebhookEndpointChange']
export type Delivery = Schemas['WebhookDelivery']

const endpointsKey = ['webhooks']
const deliveriesKey = (webhookId: string) => ['webhook-deliveries', webhookId]

/** A sign-in of the last minutes is asked for once, and not again by a look at another window. */
const asked = { refetchOnWindowFocus: false } as const

export const endpoints = queryOptions({
  queryKey: endpointsKey,
  queryFn: ({ signal }) => withStepUp(() => unwrap(muster.GET('/api/v1/admin/webhooks', { signal }))),
  ...asked,
})

const soonMs = 2_000

/** One page, newest first. What waits for its first try is looked at again until it was tried. */
export function deliveries(webhookId: string, query: DeliveriesSearch) {
  return queryOptions({
    queryKey: [...deliveriesKey(webhookId), query],
    queryFn: ({ signal }) => withStepUp(() => readDeliveries(webhookId, query, signal)),
    refetchInterval: ({ state: { data, status } }) =>
      status === 'success' && data?.deliveries.some(isUntried) === true && soonMs,
    ...asked,
  })
}

interface DeliveriesPage {
  readonly deliveries: readonly Delivery[]
  readonly next?: string
  readonly prev?: string
}

async function readDeliveries(
  webhookId: string,
  query: DeliveriesSearch,
  signal: AbortSignal,
): Promise<DeliveriesPage> {
  const params = { path: { webhookId }, query }
  const answer = await muster.GET('/api/v1/admin/webhooks/{webhookId}/deliveries', { params, signal })
  return { deliveries: (await unwrap(answer)).deliveries, ...cursorsOf(answer.response) }
}

function isUntried({ state, tries }: Delivery): boolean {
  return state === 'pending' && tries === 0
}

/** What every change does: it needs a sign-in of the last minutes, and then the lists are read again. */
async function change<Made>(work: () => Promise<Made>): Promise<Made> {
  const made = await withStepUp(work)
  await queries.invalidateQueries({ queryKey: endpointsKey })
  return made
}

async function send(webhookId: string, work: () => Promise<{ readonly deliveries: number }>): Promise<number> {
  const { deliveries: count } = await withStepUp(work)
  await queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) })
  return count
}

const at = (webhookId: string) => ({ params: { path: { webhookId } } })

export const createEndpoint = (body: NewEndpoint) =>
  change(() => unwrap(muster.POST('/api/v1/admin/webhooks', { body })))

export const changeEndpoint = (webhookId: string, body: EndpointChange) =>
  change(() => unwrap(muster.PATCH('/api/v1/admin/webhooks/{webhookId}', { ...at(webhookId), body })))

export const rotateSecret = (webhookId: string, overlapSeconds: number) =>
  change(() =>
    unwrap(muster.POST('/api/v1/admin/webhooks/{webhookId}/rotate', { ...at(webhookId), body: { overlapSeconds } })),
  )

export const removeEndpoint = (webhookId: string) =>
  change(() => unwrap(muster.DELETE('/api/v1/admin/webhooks/{webhookId}', at(webhookId))))

export const sendTest = (webhookId: string) =>
  send(webhookId, () => unwrap(muster.POST('/api/v1/admin/webhooks/{webhookId}/test', at(webhookId))))

export const replayOne = (webhookId: string, deliveryId: string) =>
  send(webhookId, () =>
    unwrap(
      muster.POST('/api/v1/admin/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
        params: { path: { webhookId, deliveryId } },
      }),
    ),
  )

export const replayFailed = (webhookId: string, since: string) =>
  send(webhookId, () =>
    unwrap(muster.POST('/api/v1/admin/webhooks/{webhookId}/replay', { ...at(webhookId), body: { since } })),
  )
