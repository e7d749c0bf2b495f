import { randomBytes } from 'node:crypto'
import type { StripeState } from './state.ts'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** The form of a POST. */
  readonly form: URLSearchParams
  readonly authorization: string | undefined
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** The part of Stripe's API that Muster calls: subscriptions, their items, customers, checkout, portal. */
export function route(request: ApiRequest, state: StripeState, secretKey: string): ApiAnswer {
  const { method, path, query, authorization } = request
  if (authorization !== `Bearer ${secretKey}`)
    return refused(401, 'invalid_request_error', undefined, 'Invalid API Key provided')
  const [, resource, id] = /^\/v1\/(subscriptions|customers)(?:\/([^/]+))?$/.exec(path) ?? []
  if (method === 'GET' && resource === 'subscriptions')
    return id === undefined ? listSubscriptions(query, state) : oneSubscription(id, query, state)
  if (method === 'GET' && path === '/v1/subscription_items') return listItems(query, state)
  if (method === 'GET' && resource === 'customers' && id !== undefined) return oneCustomer(id, state)
  if (method === 'POST' && path === '/v1/checkout/sessions') return openCheckout(request, state)
  if (method === 'POST' && path === '/v1/billing_portal/sessions') return openPortal(request, state)
  return refused(404, 'invalid_request_error', undefined, `Unrecognized request URL (${method}: ${path}).`)
}

/** Newest first; `starting_after` is the last one of the previous page. Includes canceled ones only with `status=all`. */
function listSubscriptions(query: URLSearchParams, state: StripeState): ApiAnswer {
  const limit = Number(query.get('limit') ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return refused(400, 'invalid_request_error', 'parameter_invalid_integer', 'limit must be from 1 to 100')
  const expand = expansions(query, 'data.')
  if (expand.some((path) => path.split('.').length > 3))
    return refused(400, 'invalid_request_error', undefined, 'You cannot expand more than 4 levels of a property.')
  const all = [...state.subscriptions.values()]
    .filter(({ status }) => query.get('status') === 'all' || status !== 'canceled')
    .sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1))
  const after = query.get('starting_after')
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== null && from === 0) return missing('subscription', after)
  const data = all.slice(from, from + limit).map(({ id }) => state.subscriptionObject(id, expand))
  return { status: 200, body: { object: 'list', url: '/v1/subscriptions', has_more: from + limit < all.length, data } }
}

function oneSubscription(id: string, query: URLSearchParams, state: StripeState): ApiAnswer {
  if (!state.subscriptions.has(id)) return missing('subscription', id)
  return { status: 200, body: state.subscriptionObject(id, expansions(query, '')) }
}

function listItems(query: URLSearchParams, state: StripeState): ApiAnswer {
  const id = query.get('subscription') ?? ''
  if (!state.subscriptions.has(id)) return missing('subscription', id)
  const all = state.itemObjects(id, expansions(query, 'data.').includes('price.product'))
  const from = all.findIndex((item) => item.id === query.get('starting_after')) + 1
  const until = from + Number(query.get('limit') ?? 10)
  const data = all.slice(from, until)
  return { status: 200, body: { object: 'list', url: '/v1/subscription_items', has_more: until < all.length, data } }
}

function oneCustomer(id: string, state: StripeState): ApiAnswer {
  return state.customers.has(id) ? { status: 200, body: state.customerObject(id) } : missing('customer', id)
}

function openCheckout({ form }: ApiRequest, state: StripeState): ApiAnswer {
  const customer = form.get('customer')
  if (customer !== null && !isUsable(customer, state)) return missing('customer', customer, 'customer')
  const price = form.get('line_items[0][price]') ?? ''
  if (price.startsWith('price_gone')) return missing('price', price, 'line_items[0][price]')
  const id = `cs_test_${randomBytes(12).toString('hex')}`
  return {
    status: 200,
    body: {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.test/c/pay/${id}`,
      expires_at: 1_900_000_000,
    },
  }
}

function openPortal({ form }: ApiRequest, state: StripeState): ApiAnswer {
  const customer = form.get('customer') ?? ''
  if (!isUsable(customer, state)) return missing('customer', customer, 'customer')
  const id = `bps_${randomBytes(12).toString('hex')}`
  return {
    status: 200,
    body: { id, object: 'billing_portal.session', url: `https://billing.stripe.test/p/session/${id}` },
  }
}

function isUsable(customerId: string, state: StripeState): boolean {
  return state.customers.get(customerId)?.deleted === false
}

/** The SDK writes lists as `expand[0]=…`. */
function expansions(query: URLSearchParams, prefix: string): string[] {
  return [...query]
    .filter(([name, value]) => /^expand(\[\d*\])?$/.test(name) && value.startsWith(prefix))
    .map(([, value]) => value.slice(prefix.length))
}

function missing(kind: string, id: string, param?: string): ApiAnswer {
  return refused(404, 'invalid_request_error', 'resource_missing', `No such ${kind}: '${id}'`, param)
}

function refused(status: number, type: string, code: string | undefined, message: string, param?: string): ApiAnswer {
  return { status, body: { error: { type, code, message, param } } }
}
