import Type from 'typebox'
import type { OperationContract } from './operation.ts'

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
export const webhookRules = {
  method: 'POST',
  tag: 'Webhooks',
  access: 'public',
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

export const webhooksStripeContract = {
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
