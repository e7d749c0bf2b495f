import Type, { type Static } from 'typebox'
import { administratorNeeds, contract, flag, json, named, text, time } from '../platform/http/contract.ts'
import { displayedNamePattern } from '../platform/http/formats.ts'
import { eventTypeNames } from './event-types.ts'

export const endpointsMax = 20
/** Maximum endpoints per administrator, so that one cannot use up the total. */
export const endpointsOfCreatorMax = endpointsMax / 2
export const secretOverlapSecondsMax = 7 * 86_400
export const secretOverlapSecondsDefault = 86_400

const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Starts with `https://`, has no user name, password or fragment, and leads to a public address.',
})
const Description = Type.String({ minLength: 1, maxLength: 200, pattern: displayedNamePattern })
const Events = Type.Array(Type.Enum([...eventTypeNames]), {
  minItems: 1,
  maxItems: eventTypeNames.length,
  uniqueItems: true,
  description: 'The event types to send.',
})

const url = Type.String()
const host = text('The host of the address, with its port. The rest may be a secret of the receiver.')

/** Without the address. */
const endpointMembers = {
  id: Type.String(),
  description: Type.Optional(Type.String()),
  events: Events,
  status: Type.Enum(['enabled', 'failing', 'disabled'], {
    description: '`failing`: no attempt has succeeded since `failingSince`. A disabled endpoint receives nothing.',
  }),
  failingSince: Type.Optional(time()),
  disabledAt: Type.Optional(time()),
  disabledBecause: Type.Optional(
    Type.Enum(['administrator', 'gone', 'failing'], {
      description:
        '`administrator`: disabled by a user; `gone`: it answered 410; `failing`: no attempt succeeded for three days.',
    }),
  ),
  previousSecretUntil: Type.Optional(time('Until then the previous secret signs too.')),
  createdAt: time(),
}

export const WebhookEndpoint = named('WebhookEndpoint', { ...endpointMembers, url })
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const ListedWebhookEndpoint = named('ListedWebhookEndpoint', { ...endpointMembers, host })
export type ListedWebhookEndpoint = Static<typeof ListedWebhookEndpoint>

export const WebhookEndpointWithSecret = named('WebhookEndpointWithSecret', {
  ...endpointMembers,
  url,
  secret: text('The signing secret. It is shown once.'),
})
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

const NewWebhookEndpoint = named('NewWebhookEndpoint', {
  url: Url,
  description: Type.Optional(Description),
  events: Events,
})
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

const WebhookEndpointChange = named(
  'WebhookEndpointChange',
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    isEnabled: Type.Optional(flag('Events that happen while an endpoint is disabled are never sent to it.')),
  },
  { minProperties: 1 },
)
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>

const RotateWebhookSecret = named('RotateWebhookSecret', {
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: secretOverlapSecondsMax,
      description: `How long the previous secret still signs. Default: ${secretOverlapSecondsDefault}.`,
    }),
  ),
})

const endpoint: WebhookEndpoint = {
  id: '0b2f6c1e-5d02-4b1e-9a40-3c5d1e0f7a11',
  url: 'https://product.example.com/muster',
  description: 'The product',
  events: ['user.created', 'user.deleted'],
  status: 'enabled',
  createdAt: '2026-01-31T09:26:53.589793Z',
}

const { url: _, ...unlisted } = endpoint
const listed: ListedWebhookEndpoint = { ...unlisted, host: 'product.example.com' }

const withSecret = (description: string) =>
  json(description, WebhookEndpointWithSecret, { ...endpoint, secret: `whsec_MfKQ9r8G${'…'.repeat(3)}` })

/** Shared with the contracts of deliveries. */
export const common = { tag: 'Administration', needs: administratorNeeds } as const
export const endpointProblems = ['permission_exceeds', 'webhook_endpoint_unknown'] as const

export const endpointContracts = {
  list: contract('GET /api/v1/admin/webhooks', 'webhooks:manage', {
    ...common,
    id: 'listWebhooks',
    summary: 'List webhook endpoints',
    description: 'Every registered endpoint, oldest first, with only the host of its address.',
    answers: {
      200: json('Endpoints', named('WebhookEndpoints', { webhooks: Type.Array(ListedWebhookEndpoint) }), {
        webhooks: [listed],
      }),
    },
  }),
  create: contract('POST /api/v1/admin/webhooks', 'webhooks:manage', {
    ...common,
    id: 'createWebhook',
    summary: 'Register a webhook endpoint',
    description:
      'From now on events of these types are sent to the address, signed with a secret that is shown once. The caller’s role must grant reading the data in the events.',
    body: NewWebhookEndpoint,
    bodyExamples: {
      users: {
        summary: 'For users',
        value: { url: endpoint.url, description: 'The product', events: ['user.created', 'user.deleted'] },
      },
    },
    answers: { 201: withSecret('The endpoint, with its secret') },
    problems: ['permission_exceeds', 'webhook_endpoints_full'],
  }),
  change: contract('PATCH /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', {
    ...common,
    id: 'changeWebhook',
    summary: 'Change, disable or enable a webhook endpoint',
    description: 'Changes the given members. Disabling cancels pending deliveries; they can be replayed later.',
    body: WebhookEndpointChange,
    bodyExamples: { disable: { summary: 'Stop sending', value: { isEnabled: false } } },
    answers: { 200: json('The endpoint after the change', WebhookEndpoint, endpoint) },
    problems: endpointProblems,
  }),
  rotate: contract('POST /api/v1/admin/webhooks/{webhookId}/rotate', 'webhooks:manage', {
    ...common,
    id: 'rotateWebhookSecret',
    summary: 'Rotate the signing secret of an endpoint',
    description: 'Until the overlap ends, each webhook has signatures of both secrets.',
    body: RotateWebhookSecret,
    bodyExamples: { day: { summary: 'With a day of overlap', value: { overlapSeconds: 86_400 } } },
    answers: { 201: withSecret('The endpoint, with its new secret') },
    problems: endpointProblems,
  }),
  remove: contract('DELETE /api/v1/admin/webhooks/{webhookId}', 'webhooks:manage', {
    ...common,
    id: 'removeWebhook',
    summary: 'Remove a webhook endpoint',
    description: 'Nothing is sent to it any more, and its deliveries are deleted.',
    answers: { 204: { description: 'Removed' } },
    problems: endpointProblems,
  }),
}
