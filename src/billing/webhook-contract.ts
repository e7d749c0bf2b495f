import Type from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'

/** What became of an event. Each of them means: it need not be sent again. */
export const eventOutcomes = ['applied', 'older', 'repeated', 'noted', 'ignored'] as const

export const WebhookReceipt = Type.Object(
  {
    received: Type.Literal(true),
    outcome: Type.Enum([...eventOutcomes], {
      description:
        'applied: it changed something. older: newer news was here already. repeated: it was here before. noted: nothing follows from it. ignored: its type means nothing here.',
    }),
  },
  { additionalProperties: false, $id: 'WebhookReceipt' },
)

/** What every webhook has in common: who sends it is proven by a signature over the bytes. */
const webhookRules = {
  method: 'POST',
  tag: 'Webhooks',
  permission: 'public',
  // Events hold the whole object that they are about: one with many items is above the usual 16 KiB.
  rawBody: { bytesMax: 262_144 },
  answers: {
    200: {
      description: 'Committed',
      content: {
        'application/json': {
          schema: WebhookReceipt,
          examples: {
            applied: { summary: 'It changed something', value: { received: true, outcome: 'applied' } },
            repeated: { summary: 'It was here before', value: { received: true, outcome: 'repeated' } },
          },
        },
      },
    },
  },
  problems: [
    'webhook_unsigned',
    'webhook_outdated',
    'webhook_unreadable',
    'body_malformed',
    'body_too_large',
    'content_type_unsupported',
    'request_timeout',
    'input_invalid',
    'processor_refused',
    'processor_unavailable',
    'database_unavailable',
  ],
} as const

const webhooksStripeContract = {
  ...webhookRules,
  id: 'receiveStripeEvent',
  path: '/webhooks/stripe',
  summary: 'Events of Stripe',
  description:
    'For Stripe only: the header `Stripe-Signature` must hold for the bytes of the body. A 2xx means that the event is committed; anything else asks Stripe to send it again, in whatever order.',
  body: Type.Object(
    {
      id: Type.String(),
      type: Type.String(),
      created: Type.Integer(),
      data: Type.Object({ object: Type.Object({}, { additionalProperties: true }) }),
    },
    { additionalProperties: true, $id: 'StripeEvent' },
  ),
  bodyExamples: {
    updated: {
      summary: 'A subscription changed',
      value: {
        id: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
        type: 'customer.subscription.updated',
        created: 1_767_225_600,
        data: { object: { id: 'sub_1MowQVLkdIwHu7ixeRlqHVzs', status: 'active' } },
      },
    },
  },
} as const satisfies OperationContract

const Data = Type.Object({}, { additionalProperties: true })

const webhooksPaddleContract = {
  ...webhookRules,
  id: 'receivePaddleEvent',
  path: '/webhooks/paddle',
  summary: 'Events of Paddle',
  description:
    'For Paddle only: the header `Paddle-Signature` must hold for the bytes of the body. A 2xx means that the event is committed.',
  body: Type.Object(
    { event_id: Type.String(), event_type: Type.String(), occurred_at: Type.String(), data: Data },
    { additionalProperties: true, $id: 'PaddleEvent' },
  ),
  bodyExamples: {
    updated: {
      summary: 'A subscription changed',
      value: {
        event_id: 'evt_01h8bzakzx3hm2fmen703n5q45',
        event_type: 'subscription.updated',
        occurred_at: '2026-08-21T11:57:47.390028Z',
        data: { id: 'sub_01h7zcgmdc6tmwtjehp3sh7azf', status: 'active' },
      },
    },
  },
} as const satisfies OperationContract

const webhooksPolarContract = {
  ...webhookRules,
  id: 'receivePolarEvent',
  path: '/webhooks/polar',
  summary: 'Events of Polar',
  description:
    'For Polar only: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` must hold for the bytes of the body (Standard Webhooks). A 2xx means that the event is committed.',
  body: Type.Object(
    { type: Type.String(), timestamp: Type.String(), data: Data },
    { additionalProperties: true, $id: 'PolarEvent' },
  ),
  bodyExamples: {
    updated: {
      summary: 'A subscription changed',
      value: {
        type: 'subscription.updated',
        timestamp: '2026-08-21T11:57:47.390028Z',
        data: { id: 'e5149aae-e521-42b9-b24c-abb3d71eea2e', status: 'active' },
      },
    },
  },
} as const satisfies OperationContract

export const webhookContracts = {
  stripe: webhooksStripeContract,
  paddle: webhooksPaddleContract,
  polar: webhooksPolarContract,
} as const satisfies Readonly<Record<string, OperationContract>>
