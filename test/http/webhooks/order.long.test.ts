import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change, SimulatedEvent } from '../../../simulators/stripe/state.ts'
import { type Billed, billedForTest, startBilled, stored, truth } from '../../support/stripe.ts'

let billed: Billed
beforeAll(async () => {
  billed = await startBilled()
  await billed.service.sql(`insert into plan (id, name) values ('basic', 'Basic'), ('pro', 'Pro')`)
  await billed.service.sql(`insert into plan_price values ('price_basic', 'basic'), ('price_pro', 'pro')`)
})
afterAll(() => billed.stop())

let lives = 0

/** Five events: created and paid in the same second, then failed, paid again on another plan, and ended. */
function liveThrough({ stripe, advanceSeconds }: Billed): { id: string; events: SimulatedEvent[] } {
  lives += 1
  const customer = stripe.state.addCustomer({ id: `cus_life_${lives}` })
  const from = stripe.state.events.length
  const { id } = stripe.state.subscribe(customer.id, { id: `sub_life_${lives}`, status: 'incomplete' })
  stripe.state.change(id, { status: 'active' })
  advanceSeconds(1)
  stripe.state.change(id, { status: 'past_due' })
  advanceSeconds(60)
  stripe.state.change(id, { status: 'active', priceIds: ['price_pro'] })
  advanceSeconds(60)
  stripe.state.cancel(id)
  return { id, events: stripe.state.events.slice(from) }
}

async function expectTruth({ service, stripe }: Billed, id: string, events: number): Promise<void> {
  expect(await stored(service, id)).toMatchObject(truth(stripe, id) ?? {})
  const [log] = await service.sql<{ n: number }>(
    'select count(*)::int as n from billing_event where subscription_id = $1',
    [id],
  )
  expect(log?.n).toBe(events)
}

describe('five events of a subscription, each delivered three times', () => {
  test('give the correct result in all 120 orders', async () => {
    const orders = permutations([0, 1, 2, 3, 4])
    expect(orders).toHaveLength(120)
    await inParallel(6, orders, async (order) => {
      const { id, events } = liveThrough(billed)
      const ordered = order.map((index) => events[index])
      expect(await billed.deliverAll([...ordered, ...ordered.toReversed(), ...ordered])).toEqual([])
      await expectTruth(billed, id, 5)
    })
  })

  test('give the correct result when all deliveries arrive at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, events } = liveThrough(billed)
      const copies = [...events, ...events.toReversed(), ...events]
      expect(await billed.deliverAll(copies, { parallel: copies.length })).toEqual([])
      await expectTruth(billed, id, 5)
    }
  })

  test('give the correct result without an API key, if no two updates share a second', async () => {
    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    for (const order of permutations([0, 1, 2, 3, 4]).filter((_, index) => index % 10 === 0)) {
      const { id, events } = liveThrough(webhookOnly)
      expect(await webhookOnly.deliverAll(order.map((index) => events[index]))).toEqual([])
      await expectTruth(webhookOnly, id, 5)
    }
    expect(webhookOnly.stripe.received).toEqual([])
  })
})

describe('updates with the same second', () => {
  test('are resolved by a call to Stripe, whichever arrives last', async () => {
    const { stripe, deliver } = billed
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'trialing' })
    const first = stripe.state.change(id, { status: 'active' })
    const second = stripe.state.change(id, { status: 'past_due' })
    expect((await deliver(second)).body).toMatchObject({ outcome: 'applied' })
    expect((await deliver(first)).body).toMatchObject({ outcome: 'applied' })
    expect(await stored(billed.service, id)).toMatchObject({ status: 'past_due' })
  })

  test('503 when Stripe is unreachable; nothing is written, and the redelivery resolves it', async () => {
    const { service, stripe, deliver } = billed
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'trialing' })
    const first = stripe.state.change(id, { status: 'active' })
    const second = stripe.state.change(id, { status: 'past_due' })
    await deliver(second)
    const down = { status: 500, body: { error: { type: 'api_error', message: 'down' } } }
    stripe.control.nextFaults = [down, down]
    expect(await deliver(first)).toMatchObject({ status: 503, body: { code: 'processor_unavailable' } })
    expect(await service.sql('select from billing_event where id = $1', [first.id])).toEqual([])
    expect((await deliver(first)).status).toBe(200)
    expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
  })

  test('a change during the call to Stripe is not overwritten by the older response', async () => {
    const { service, stripe, deliver } = billed
    const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'trialing' })
    const first = stripe.state.change(id, { status: 'active' })
    const second = stripe.state.change(id, { status: 'past_due' })
    await deliver(first)
    // The response is created, then the subscription changes in the same second, and that event is committed first.
    let isOvertaken = false
    stripe.control.beforeSending = async () => {
      if (isOvertaken) return
      isOvertaken = true
      await deliver(stripe.state.change(id, { status: 'unpaid' }))
    }
    expect((await deliver(second)).status).toBe(200)
    stripe.control.beforeSending = undefined
    expect(isOvertaken).toBe(true)
    expect(await stored(service, id)).toMatchObject({ status: 'unpaid' })
  })
})

test('a change between the response and its header Date is not treated as older', async () => {
  const { service, stripe, deliver, advanceSeconds } = billed
  const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'trialing' })
  const hint = stripe.state.emit('invoice.paid', { id: 'in_1', parent: { subscription_details: { subscription: id } } })
  let change: unknown
  stripe.control.beforeSending = () => {
    change = stripe.state.change(id, { status: 'past_due' })
    advanceSeconds(1)
    stripe.control.beforeSending = undefined
  }
  expect((await deliver(hint)).body).toMatchObject({ outcome: 'applied' })
  expect(await stored(service, id)).toMatchObject({ status: 'trialing' })
  expect((await deliver(change)).body).toMatchObject({ outcome: 'applied' })
  expect(await stored(service, id)).toMatchObject({ status: 'past_due' })
})

test('random histories of 1 to 12 events with equal seconds, delivered late, twice, out of order and concurrently, give the correct result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { stripe, advanceSeconds, deliverAll } = billed
      const { id: customerId } = stripe.state.addCustomer()
      const slots: SimulatedEvent[][] = []
      let id: string | undefined
      for (const [index, { seconds, change, delays }] of steps.entries()) {
        advanceSeconds(seconds)
        id = advanceLife(billed, customerId, id, change)
        const made = stripe.state.events.slice(-1)
        for (const delay of delays) slots[index + delay] = [...(slots[index + delay] ?? []), ...made]
        // Some deliveries arrive during the history. Those in one slot arrive concurrently.
        expect(await deliverAll(slots[index] ?? [], { parallel: 4 })).toEqual([])
        if (change.status === 'canceled') break
      }
      const left = slots.slice(steps.length).concat(slots.slice(0, steps.length))
      for (const due of left) expect(await deliverAll(due ?? [], { parallel: 4 })).toEqual([])
      if (id) expect(await stored(billed.service, id)).toMatchObject(truth(stripe, id) ?? {})
    }),
    { numRuns: 60 },
  )
})

function advanceLife(
  { stripe: { state } }: Billed,
  customerId: string,
  id: string | undefined,
  change: Change,
): string {
  if (id === undefined) return state.subscribe(customerId, change).id
  if (change.status === 'canceled') state.cancel(id)
  else state.change(id, change)
  return id
}

const step = fc.record({
  seconds: fc.constantFrom(0, 0, 1, 5),
  change: fc.record({
    status: fc.constantFrom('trialing', 'active', 'active', 'past_due', 'unpaid', 'paused', 'canceled'),
    priceIds: fc.constantFrom(['price_basic'], ['price_pro'], ['price_nobody_mapped']),
  }),
  delays: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 }),
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

async function inParallel<T>(width: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
