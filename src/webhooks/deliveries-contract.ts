import Type, { type Static } from 'typebox'
import { ids, json, named, type OperationContract, object, pageLinks, pageQuery } from '../platform/http/contract.ts'
import { timeRules } from '../platform/http/formats.ts'
import { common, endpointProblems, ofEndpoint, root, webhookEndpointContracts } from './contract.ts'

const deliveriesPageSizeMax = 200
export const deliveriesPageSizeDefault = 50

const WebhookDelivery = named('WebhookDelivery', {
  id: Type.String(),
  eventId: Type.String({ description: 'The header `webhook-id` of every attempt.' }),
  type: Type.String(),
  subject: Type.String({ description: 'The id of the user, organization or subscription that changed.' }),
  state: Type.Enum(['pending', 'delivered', 'failed']),
  tries: Type.Integer({ description: 'Attempts since the event or the last replay.' }),
  createdAt: Type.String({ description: 'RFC 3339.' }),
  triedAt: Type.Optional(Type.String({ description: 'RFC 3339.' })),
  nextAt: Type.Optional(Type.String({ description: 'For a pending delivery: the earliest next attempt. RFC 3339.' })),
  status: Type.Optional(Type.Integer({ description: 'The status of the last response.' })),
  fault: Type.Optional(Type.String({ description: 'Code of the last fault, if there was no response.' })),
})

export type WebhookDelivery = Static<typeof WebhookDelivery>

const WebhookDeliveries = named('WebhookDeliveries', { deliveries: Type.Array(WebhookDelivery) })
export type WebhookDeliveries = Static<typeof WebhookDeliveries>

const ofDelivery = ids('webhookId', 'deliveryId')

const Accepted = named('AcceptedWebhookDeliveries', {
  deliveries: Type.Integer({ description: 'The number of deliveries to send.' }),
})

const accepted = (description: string) => json(description, Accepted, { deliveries: 1 })

export const webhookTestContract = {
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: `${root}/{webhookId}/test`,
  summary: 'Send a test event to an endpoint',
  description:
    'Sends an event of the type `webhook.test` within seconds. The deliveries of the endpoint show the result.',
  params: ofEndpoint,
  answers: { 202: accepted('The event will be sent') },
  problems: [...endpointProblems, 'webhook_endpoint_disabled'],
} as const satisfies OperationContract

export const webhookDeliveriesContract = {
  ...common,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: `${root}/{webhookId}/deliveries`,
  summary: 'List deliveries of an endpoint',
  description:
    'One page, newest first. The header `Link` has the addresses of the next and the previous page. Deliveries added meanwhile never shift others between pages.',
  params: ofEndpoint,
  query: object({
    state: Type.Optional(Type.Enum(['pending', 'delivered', 'failed'])),
    ...pageQuery('Deliveries', { max: deliveriesPageSizeMax, usual: deliveriesPageSizeDefault }, 'endpoint and state'),
  }),
  answers: {
    200: {
      ...json('Deliveries, newest first', WebhookDeliveries, {
        deliveries: [
          {
            id: '0197b2a4-6d02-7b1e-9a40-3c5d1e0f7a11',
            eventId: '0197b2a4-6d01-7b1e-9a40-3c5d1e0f7a10',
            type: 'user.created',
            subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
            state: 'pending',
            tries: 1,
            createdAt: '2026-01-31T09:26:53.589793Z',
            triedAt: '2026-01-31T09:26:54.101112Z',
            nextAt: '2026-01-31T09:26:59.414243Z',
            status: 500,
          },
        ],
      }),
      headers: pageLinks,
    },
  },
  problems: [...endpointProblems, 'cursor_invalid'],
} as const satisfies OperationContract

export const webhookReplayOneContract = {
  ...common,
  id: 'replayWebhookDelivery',
  method: 'POST',
  path: `${root}/{webhookId}/deliveries/{deliveryId}/replay`,
  summary: 'Send a delivery again',
  description: 'Also works for a successful delivery. It keeps its `webhook-id` and gets all attempts again.',
  params: ofDelivery,
  answers: { 202: accepted('It will be sent') },
  problems: [...endpointProblems, 'webhook_delivery_unknown', 'webhook_endpoint_disabled'],
} as const satisfies OperationContract

export const webhookReplayContract = {
  ...common,
  id: 'replayFailedWebhooks',
  method: 'POST',
  path: `${root}/{webhookId}/replay`,
  summary: 'Send failed deliveries again',
  description: 'Sends every failed delivery since a time again, with the same `webhook-id`.',
  params: ofEndpoint,
  body: named('ReplayFailedWebhooks', {
    since: Type.String({ ...timeRules, description: 'RFC 3339.' }),
  }),
  bodyExamples: { day: { summary: 'Since one day', value: { since: '2026-01-31T00:00:00Z' } } },
  answers: { 202: accepted('They will be sent') },
  problems: [...endpointProblems, 'webhook_endpoint_disabled'],
} as const satisfies OperationContract

export const webhookContracts: readonly OperationContract[] = [
  ...webhookEndpointContracts,
  webhookTestContract,
  webhookDeliveriesContract,
  webhookReplayOneContract,
  webhookReplayContract,
]
