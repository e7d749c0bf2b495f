import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Billed, startBilled, stored } from '../../support/stripe.ts'

// A price without a plan is shown by its product's name, which Stripe's events do not contain.

let billed: Billed
beforeAll(async () => {
  billed = await startBilled()
})
afterAll(() => billed.stop())

const shown = async (token: string) => {
  const { body } = await billed.service.get('/api/v1/user/data', { token })
  return Object(body).subscription
}

test("shows another price by its own product's name, and fetches a name only once", async () => {
  const { service, stripe, deliver, advanceSeconds } = billed
  const person = await service.person()
  const { id: customerId } = stripe.state.addCustomer({ metadata: { muster_account_id: person.id } })
  await deliver(stripe.state.events.at(-1))
  const { id } = stripe.state.subscribe(customerId, { priceIds: ['price_small'] })
  await deliver(stripe.state.events.at(-1))
  const small = { plan_id: 'price_small', plan_name: 'Product of price_small', billing_customer_id: customerId }
  expect(await shown(person.token)).toEqual({ ...small, status: 'active' })

  const calls = stripe.received.length
  advanceSeconds(1)
  await deliver(stripe.state.change(id, { status: 'past_due' }))
  expect(await shown(person.token)).toEqual({ ...small, status: 'past_due' })
  expect(stripe.received).toHaveLength(calls)

  advanceSeconds(1)
  await deliver(stripe.state.change(id, { priceIds: ['price_large'] }))
  expect(await shown(person.token)).toEqual({
    plan_id: 'price_large',
    plan_name: 'Product of price_large',
    status: 'past_due',
    billing_customer_id: customerId,
  })
  expect(await stored(service, id)).toMatchObject({
    price_ids: ['price_large'],
    product_name: 'Product of price_large',
  })
})
