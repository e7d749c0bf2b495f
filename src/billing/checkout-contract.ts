import Type from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'
import { bodyProblems, callerProblems } from '../platform/http/problem-body.ts'

const Address = (description: string) => Type.String({ pattern: '^https?://[!-~]+$', maxLength: 2_048, description })
const orgId = Type.Optional(
  Type.String({
    ...uuidRules,
    description: 'For this organisation of the caller’s instead of the caller; needs `billing: ["manage"]` there.',
  }),
)

const Page = Type.Object(
  { url: Type.String({ description: 'Send the person there. It is for them only, and soon expires.' }) },
  { additionalProperties: false, $id: 'BillingPage' },
)

const pageRules = {
  method: 'POST',
  tag: 'Billing',
  permission: 'caller',
  answers: {
    200: {
      description: 'Where to go on',
      content: {
        'application/json': {
          schema: Page,
          examples: {
            page: { summary: 'A page of Stripe', value: { url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2c3' } },
          },
        },
      },
    },
  },
} as const

const pageProblems = [
  'organization_unknown',
  'permission_missing',
  'customer_unknown',
  'processor_refused',
  'processor_unavailable',
  ...bodyProblems,
  ...callerProblems,
] as const

export const billingCheckoutContract = {
  ...pageRules,
  id: 'openCheckout',
  path: '/api/v1/billing/checkout',
  summary: 'Buy a plan',
  description:
    'Opens a page of the payment processor where the caller, or an organisation, buys a plan. The plan shows as soon as the processor’s event has arrived.',
  body: Type.Object(
    {
      priceId: Type.String({
        pattern: '^[!-~]+$',
        maxLength: 255,
        description: 'A price of the payment processor that belongs to a plan here.',
      }),
      quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Such as seats. Default: 1.' })),
      orgId,
      successUrl: Address('Where to return to when it is bought.'),
      cancelUrl: Type.Optional(Address('Where to return to when it is not.')),
    },
    { additionalProperties: false, $id: 'CheckoutOrder' },
  ),
  bodyExamples: {
    monthly: {
      summary: 'A person, monthly',
      value: { priceId: 'price_1MoBy5LkdIwHu7ixZhnattbh', successUrl: 'https://app.example.com/welcome' },
    },
  },
  problems: ['price_unknown', ...pageProblems],
} as const satisfies OperationContract

export const billingPortalContract = {
  ...pageRules,
  id: 'openPortal',
  path: '/api/v1/billing/portal',
  summary: 'Manage what was bought',
  description:
    'Opens a page of the payment processor where the caller, or an organisation, changes or ends a subscription, and finds the bills.',
  body: Type.Object(
    { orgId, returnUrl: Address('Where to return to.') },
    { additionalProperties: false, $id: 'PortalOrder' },
  ),
  bodyExamples: { own: { summary: 'A person', value: { returnUrl: 'https://app.example.com/account' } } },
  problems: pageProblems,
} as const satisfies OperationContract
