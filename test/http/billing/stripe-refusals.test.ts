import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { subscribe } from '../../support/billing-rows.ts'
import { problemBody } from '../../support/problem.ts'
import type { Answer, Person, Service } from '../../support/service.ts'
import { type Billed, startBilled } from '../../support/stripe.ts'

// The response to a buyer if Stripe does not open the page.

let billed: Billed
let service: Service
let person: Person
beforeAll(async () => {
  billed = await startBilled()
  service = billed.service
  await service.sql(`insert into plan (id, name) values ('pro', 'Pro')`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro')`)
  person = await service.person()
})
afterEach(() => {
  billed.stripe.control.nextFaults = []
})
afterAll(() => billed.stop())

const checkout = ({ token }: Person) =>
  service.post('/api/v1/billing/checkout', {
    token,
    body: { priceId: 'price_pro', successUrl: 'https://app.test/welcome' },
  })
const portal = ({ token }: Person) =>
  service.post('/api/v1/billing/portal', { token, body: { returnUrl: 'https://app.test/account' } })

/** Status, retry time and the whole body. */
const problem = ({ status, headers, body }: Answer) => ({ status, retryAfter: headers['retry-after'], body })
const expected = (code: string, retryAfter?: string) => {
  const body = problemBody(code)
  return { status: body.status, retryAfter, body }
}

test('404 customer_unknown — the stored customer was deleted at Stripe, without an event', async () => {
  const buyer = await service.person()
  await subscribe(service, { customer: 'cus_lost', accountId: buyer.id, price: 'price_pro', status: 'active' })
  for (const answer of [await checkout(buyer), await portal(buyer)])
    expect(problem(answer)).toEqual(expected('customer_unknown'))
})

test('502 processor_refused — Stripe rejects another member of the order, or the customer for another reason', async () => {
  for (const [code, param] of [
    ['url_invalid', 'success_url'],
    ['customer_tax_location_invalid', 'customer'],
    ['resource_missing', undefined],
  ]) {
    const refusal = { error: { type: 'invalid_request_error', code, param, message: 'no' } }
    billed.stripe.control.nextFaults = [{ status: 400, body: refusal }]
    expect(problem(await checkout(person)), code).toEqual(expected('processor_refused'))
  }
})

test('503 processor_unavailable, with the retry time — an internal Stripe error does not count against the price that it names', async () => {
  const failure = { error: { type: 'api_error', param: 'line_items[0][price]', message: 'no' } }
  billed.stripe.control.nextFaults = [
    { status: 500, body: failure },
    { status: 500, body: failure },
  ]
  expect(problem(await checkout(person))).toEqual(expected('processor_unavailable', '5'))
})
