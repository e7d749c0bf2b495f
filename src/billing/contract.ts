import Type, { type TObject } from 'typebox'
import { contract, flag, json, jsonExamples, named, object, text } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'

const Address = (description: string) => Type.String({ pattern: '^https?://[!-~]+$', maxLength: 2_048, description })
const Page = named('BillingPage', {
  url: text('Redirect the user to this address. It is only for this user and expires soon.'),
})

const CheckoutPage = named('CheckoutPage', {
  ...Page.properties,
  kind: Type.Enum(['checkout', 'change'], {
    description: 'checkout: the page sells a subscription. change: it changes the payer’s subscription to the price.',
  }),
})

const pageRules = {
  tag: 'Billing',
  query: object({
    orgId: Type.Optional(
      Type.String({
        ...uuidRules,
        description:
          'The organization that pays; requires `billing: ["manage"]` there. Default: the caller pays, whatever the current organization is.',
      }),
    ),
  }),
} as const

const pageProblems = [
  'organization_unknown',
  'permission_missing',
  'step_up_required',
  'customer_unknown',
  'processor_refused',
  'processor_unavailable',
] as const

export const checkoutContracts = {
  checkout: contract('POST /api/v1/billing/checkout', 'caller', {
    ...pageRules,
    id: 'openCheckout',
    summary: 'Buy a plan',
    description:
      'Opens a page of the payment processor where the caller, or an organization, buys a plan. If the payer already has a plan there, the page changes that subscription to the price. The plan is available as soon as the processor’s webhook event arrives. The same request within a minute opens the same page.',
    body: named('CheckoutOrder', {
      priceId: Type.String({
        pattern: '^[!-~]+$',
        maxLength: 255,
        description: 'A price of the payment processor that is mapped to a plan.',
      }),
      quantity: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          description: 'For example the number of users. Default: 1, or the quantity of the changed subscription.',
        }),
      ),
      additional: Type.Optional(
        flag('Whether to buy another subscription beside the one that the payer has, such as an add-on.'),
      ),
      successUrl: Address('Return address after the purchase.'),
      cancelUrl: Type.Optional(Address('Return address after a cancelled purchase.')),
    }),
    bodyExamples: {
      monthly: {
        summary: 'A user, monthly',
        value: { priceId: 'price_1MoBy5LkdIwHu7ixZhnattbh', successUrl: 'https://app.example.com/welcome' },
      },
    },
    answers: {
      200: json('The page to redirect to', CheckoutPage, {
        url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3',
        kind: 'checkout',
      }),
    },
    problems: ['price_unknown', 'subscription_exists', ...pageProblems],
  }),
  portal: contract('POST /api/v1/billing/portal', 'caller', {
    ...pageRules,
    id: 'openPortal',
    summary: 'Manage subscriptions',
    description:
      'Opens a page of the payment processor where the caller, or an organization, changes or cancels a subscription and finds its invoices.',
    body: named('PortalOrder', { returnUrl: Address('Return address.') }),
    bodyExamples: { own: { summary: 'A user', value: { returnUrl: 'https://app.example.com/account' } } },
    answers: {
      200: json('The page to redirect to', Page, { url: 'https://billing.stripe.com/p/session/test_a1b2c3' }),
    },
    problems: pageProblems,
  }),
}

/** The outcomes of an event. None of them needs a redelivery. */
export const eventOutcomes = ['applied', 'older', 'repeated', 'noted', 'ignored'] as const

const WebhookReceipt = named('WebhookReceipt', {
  received: Type.Literal(true),
  outcome: Type.Enum([...eventOutcomes], {
    description:
      'applied: the event changed something. older: a newer event was applied before. repeated: the same event was received before. noted: it was stored and changed nothing. ignored: Muster does not use this type of event.',
  }),
  unreadableOwner: Type.Optional(
    text('What the event says instead of an owner: the member and the beginning of its value.'),
  ),
})

/** A processor's documented webhook. The processor validates the body itself, because the signature covers its bytes. */
export interface WebhookDocumentation {
  /** How an event is authenticated: `the header `X` must be valid for the bytes of the body`. */
  readonly proof: string
  /** The members of an event. */
  readonly body: TObject
  /** An event about a changed subscription. */
  readonly example: object
}

export type WebhookContract = ReturnType<typeof webhookContract>

/** The contract of one processor's webhook. */
export function webhookContract({
  id,
  title,
  webhook: { proof, body, example },
}: {
  readonly id: string
  readonly title: string
  readonly webhook: WebhookDocumentation
}) {
  const name = `${title.replaceAll(/\W/g, '')}Event`
  return contract(`POST /webhooks/${id}`, 'public', {
    ...webhookRules,
    id: `receive${name}`,
    summary: `Events of ${title}`,
    description: `For ${title} only: ${proof}. A 2xx means that the event is committed. After any other response ${title} sends the event again.`,
    body: Type.Object(body.properties, { additionalProperties: true, $id: name }),
    bodyExamples: { updated: { summary: 'A subscription changed', value: example } },
  })
}

const webhookRules = {
  tag: 'Webhooks',
  // An event contains a whole object, and one with many items exceeds the usual 16 KiB.
  rawBody: { bytesMax: 262_144 },
  answers: {
    200: jsonExamples('Committed', WebhookReceipt, {
      applied: { summary: 'It changed something', value: { received: true, outcome: 'applied' } },
      repeated: { summary: 'It was received before', value: { received: true, outcome: 'repeated' } },
    }),
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
    'read_only',
  ],
} as const
