import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { problemBody } from '../../support/problem.ts'
import { type Billed, startBilled, stored } from '../../support/stripe.ts'

// If an event alone is not enough, Stripe is called.

let billed: Billed
beforeEach(async () => {
  billed = await startBilled()
  onTestFinished(() => billed.stop())
  await billed.service.sql(`insert into plan_price values ('price_basic', 'free')`)
})

const subscriptionCalls = () => billed.stripe.received.map(({ path }) => path)
const applied = { status: 200, body: { received: true, outcome: 'applied' } }

/** A stored subscription with this status. */
async function subscribed(status: string): Promise<string> {
  const { stripe, deliver } = billed
  const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status })
  expect(await deliver(stripe.state.events.at(-1))).toEqual(applied)
  return id
}

test('neither of two updates with the same second wins: Stripe is called once, and its response is stored', async () => {
  const { service, stripe, deliver, advanceSeconds } = billed
  const id = await subscribed('trialing')
  advanceSeconds(1)
  const first = stripe.state.change(id, { status: 'past_due' })
  const second = stripe.state.change(id, { status: 'active' })
  expect(await deliver(second)).toEqual(applied)
  expect(subscriptionCalls()).toEqual([])
  expect(await deliver(first)).toEqual(applied)
  expect(subscriptionCalls()).toEqual([`/v1/subscriptions/${id}`])
  expect(await stored(service, id)).toMatchObject({ status: 'active' })
})

test('a response from Stripe counts even if its clock is behind, and older events are still rejected', async () => {
  const { service, stripe, deliver, advanceSeconds } = billed
  const id = await subscribed('active')
  stripe.state.change(id, { status: 'past_due' }) // its event is lost
  advanceSeconds(-5)
  const early = stripe.state.emit('customer.subscription.updated', {
    ...Object(stripe.state.subscriptionObject(id)),
    status: 'trialing',
  })
  expect(await deliver(stripe.state.emit('invoice.payment_failed', { subscription: id }))).toEqual(applied)
  expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
  expect(await deliver(early)).toEqual({ status: 200, body: { received: true, outcome: 'older' } })
  expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
})

test('a fetched subscription brings its customer and owner, and the event counts as applied', async () => {
  const { service, stripe, deliver } = billed
  const person = await service.person()
  const customer = stripe.state.addCustomer({ metadata: { muster_account_id: person.id } })
  const { id } = stripe.state.subscribe(customer.id, {})
  const paid = stripe.state.emit('invoice.paid', { subscription: id })
  expect(await deliver(paid)).toEqual(applied)
  expect(await service.sql('select id, account_id from customer')).toEqual([{ id: customer.id, account_id: person.id }])
  expect(await service.sql('select id, applied from billing_event')).toEqual([{ id: paid.id, applied: true }])
})

test('accepts a subscription whose customer is only an id', async () => {
  const { service, stripe, deliver } = billed
  const customer = stripe.state.addCustomer()
  const { id } = stripe.state.subscribe(customer.id, {})
  stripe.control.nextFaults = [{ status: 200, body: stripe.state.subscriptionObject(id) }]
  expect(await deliver(stripe.state.emit('invoice.paid', { subscription: id }))).toEqual(applied)
  expect(await stored(service, id)).toMatchObject({ customer_id: customer.id, status: 'active' })
})

describe('a row that changes during each fetch', () => {
  /** Each of Stripe's first responses is outdated on arrival, because an event with `past_due` came first. */
  async function outdate(id: string, answers: number): Promise<void> {
    const { stripe, deliver, advanceSeconds } = billed
    stripe.state.change(id, { status: 'active' }) // its event is lost
    let outdated = 0
    stripe.control.beforeSending = async () => {
      if (outdated === answers) return
      outdated += 1
      advanceSeconds(1)
      expect(await deliver(stripe.state.change(id, { status: 'past_due' }))).toEqual(applied)
      stripe.state.change(id, { status: 'active' }) // lost as well
    }
  }

  test('200: the fifth response counts', async () => {
    const { service, stripe, deliver } = billed
    const id = await subscribed('past_due')
    await outdate(id, 4)
    expect(await deliver(stripe.state.emit('invoice.paid', { subscription: id }))).toEqual(applied)
    expect(subscriptionCalls()).toEqual(Array.from({ length: 5 }, () => `/v1/subscriptions/${id}`))
    expect(await stored(service, id)).toMatchObject({ status: 'active' })
  })

  test('503 overloaded: there is no sixth call, and the event is not recorded as known', async () => {
    const { service, stripe, deliver } = billed
    const id = await subscribed('past_due')
    await outdate(id, 5)
    const paid = stripe.state.emit('invoice.paid', { subscription: id })
    expect(await deliver(paid)).toEqual({
      status: 503,
      body: problemBody('overloaded'),
    })
    expect(subscriptionCalls()).toEqual(Array.from({ length: 5 }, () => `/v1/subscriptions/${id}`))
    expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
    expect(await deliver(paid)).toEqual(applied)
    expect(await stored(service, id)).toMatchObject({ status: 'active' })
  })
})
