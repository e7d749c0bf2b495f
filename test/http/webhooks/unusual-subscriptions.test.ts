import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change, SimulatedEvent } from '../../../simulators/stripe/state.ts'
import { type Billed, billedForTest, startBilled } from '../../support/stripe.ts'

// Events that Stripe could send, or that it once sent, and that must neither lose a plan nor grant one.

let billed: Billed
beforeAll(async () => {
  billed = await startBilled()
  await addPlans(billed)
})
afterAll(() => billed.stop())

async function addPlans({ service }: Billed): Promise<void> {
  await service.sql(`insert into plan (id, name, rank) values ('pro', 'Pro', 1), ('team', 'Team', 2)`)
  await service.sql(`insert into plan_price values ('price_pro', 'pro'), ('price_team', 'team')`)
  await service.sql(`insert into plan_grant values ('pro', 'reports', 'pro'), ('team', 'reports', 'team')`)
}

/** A user with a subscription whose first event has arrived. */
async function payer(change: Change, on = billed) {
  const { service, stripe, deliver, advanceSeconds } = on
  const person = await service.person()
  const customer = stripe.state.addCustomer()
  const metadata = { muster_account_id: person.id }
  const { id } = stripe.state.subscribe(customer.id, { priceIds: ['price_pro'], metadata, ...change })
  expect((await deliver(stripe.state.events.at(-1))).status).toBe(200)
  advanceSeconds(60)
  return {
    id,
    customer,
    created: stripe.state.events.at(-1),
    change: (next: Change) => stripe.state.change(id, next),
    async read() {
      const { body } = await service.get('/api/v1/user/data?details=true', { token: person.token })
      const { subscription, permissions, subscriptions } = Object(body)
      return { subscription, subscriptions, granted: permissions.reports ?? [] }
    },
  }
}

/** A copy of an event with another subscription in it. */
function altered(event: SimulatedEvent | undefined, members: object): object {
  const object = Object(event?.data.object)
  return { ...event, data: { object: { ...object, ...members } } }
}

const item = (price: unknown, more: object = {}) => ({ id: 'si_x', object: 'subscription_item', price, ...more })
const second = (text: string) => Date.parse(text) / 1_000
const [january, february, march] = [
  '2027-01-01T00:00:00.000Z',
  '2027-02-01T00:00:00.000Z',
  '2027-03-01T00:00:00.000Z',
] as const
const period = (from: string, to: string) => ({ current_period_start: second(from), current_period_end: second(to) })

describe('items', () => {
  test.each<[string, unknown]>([
    ['no items', { object: 'list', data: [] }],
    ['items in another form', 'two'],
    ['an item without a price', { data: [{ id: 'si_1' }] }],
    [
      'prices in another form',
      { data: [item({ id: 7 }), item(['price_team']), item({ ids: ['price_team'] }), item(null)] },
    ],
    ['an id with a NUL', { data: [item({ id: 'price_team\0' })] }],
  ])('%s: the stored plan stays, and no other is granted', async (_, items) => {
    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    await addPlans(webhookOnly)
    const { change, read } = await payer({}, webhookOnly)
    const event = altered(change({ status: 'past_due' }), { items })
    expect((await webhookOnly.deliver(event)).body).toEqual({ received: true, outcome: 'applied' })
    expect(await read()).toMatchObject({ subscription: { plan_id: 'pro', status: 'past_due' }, granted: ['pro'] })
    expect((await webhookOnly.deliver(event)).body).toEqual({ received: true, outcome: 'repeated' })
    await webhookOnly.deliver(webhookOnly.stripe.state.cancel(Object(event).data.object.id))
    expect(await read()).toMatchObject({ subscription: { plan_id: 'pro', status: 'canceled' }, granted: [] })
  })

  test('of a change to another price beside an item in another form, the new price counts at once', async () => {
    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    await addPlans(webhookOnly)
    const { change, read } = await payer({}, webhookOnly)
    await webhookOnly.deliver(
      altered(change({}), { items: { data: [item({}), item({ id: 'price_team' }, { quantity: 4 })] } }),
    )
    expect(await read()).toMatchObject({
      subscription: { plan_id: 'team' },
      subscriptions: [{ quantity: 4 }],
      granted: ['pro', 'team'],
    })
    webhookOnly.advanceSeconds(60)
    await webhookOnly.deliver(altered(change({}), { items: { data: [item({ id: 'price_team' })] } }))
    expect(await read()).toMatchObject({ subscription: { plan_id: 'team' }, granted: ['team'] })
  })

  test('the first event of a subscription without readable items is stored, grants nothing, and later gets its plan', async () => {
    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    await addPlans(webhookOnly)
    const { state } = webhookOnly.stripe
    const person = await webhookOnly.service.person()
    const { id } = state.subscribe(state.addCustomer().id, {
      priceIds: ['price_pro'],
      metadata: { muster_account_id: person.id },
    })
    const data = async () => (await webhookOnly.service.get('/api/v1/user/data', { token: person.token })).body
    await webhookOnly.deliver(altered(state.events.at(-1), { items: { data: [] } }))
    expect(await data()).toMatchObject({
      subscription: { status: 'active' },
      permissions: { provider_keys: ['validate'] },
    })
    expect(await data()).not.toHaveProperty('subscription.plan_id')
    expect(await data()).not.toHaveProperty('permissions.reports')
    webhookOnly.advanceSeconds(60)
    await webhookOnly.deliver(state.change(id, {}))
    expect(await data()).toMatchObject({ subscription: { plan_id: 'pro' }, permissions: { reports: ['pro'] } })
  })

  test('with three thousand items, which an event does not contain, all count', async () => {
    const prices = Array.from({ length: 3_000 }, (_, index) => `price_metered_${index}`)
    const { read } = await payer({ priceIds: ['price_pro', ...prices, 'price_team'], itemMembers: { quantity: 2 } })
    const { subscription, subscriptions, granted } = await read()
    expect(subscription).toMatchObject({ plan_id: 'team', plan_name: 'Team', status: 'active' })
    expect(subscriptions).toMatchObject([{ quantity: 2 }])
    expect(granted).toEqual(['pro', 'team'])
  })

  test('the plan stays while Stripe cannot return the items that an event does not contain', async () => {
    const { change, read } = await payer({})
    const prices = Array.from({ length: 30 }, (_, index) => `price_metered_${index}`)
    billed.stripe.control.nextFaults = ['reset', 'reset']
    expect((await billed.deliver(change({ priceIds: [...prices, 'price_pro'] }))).body).toMatchObject({
      outcome: 'applied',
    })
    billed.stripe.control.nextFaults = []
    expect(await read()).toMatchObject({ subscription: { plan_id: 'pro' }, granted: ['pro'] })
  })

  test.each([-1, 1.5, '3', 2 ** 31, null])('a quantity of %j counts as not reported', async (quantity) => {
    const { read } = await payer({ itemMembers: { quantity } })
    const { subscriptions, granted } = await read()
    expect(subscriptions[0]).not.toHaveProperty('quantity')
    expect(granted).toEqual(['pro'])
  })

  test('a changed currency changes neither plan nor quantity', async () => {
    const { change, read } = await payer({ members: { currency: 'eur' }, itemMembers: { quantity: 3 } })
    const before = await read()
    await billed.deliver(change({ members: { currency: 'jpy' } }))
    expect(await read()).toEqual(before)
  })
})

describe('the period', () => {
  const shown = async (change: Change) => {
    const { read } = await payer(change)
    const { id: _, plan: __, productName: ___, ...first } = (await read()).subscriptions[0]
    return first
  }

  test('is that of the subscription before 2025, and that of the item that ends first since then', async () => {
    const renews = { status: 'active', currentPeriodEnd: february, cancelAtPeriodEnd: false }
    const cancel_at_period_end = false
    expect(await shown({ members: { ...period(january, february), cancel_at_period_end } })).toEqual(renews)
    expect(await shown({ members: { cancel_at_period_end }, itemMembers: period(january, february) })).toEqual(renews)
  })

  test('that ends before it starts, or is in another form, counts as not reported; the plan stays', async () => {
    for (const wrong of [
      period(february, january),
      period(january, january),
      { current_period_end: '2027' },
      { current_period_end: -5 },
      {},
    ])
      expect(await shown({ itemMembers: wrong }), JSON.stringify(wrong)).toEqual({ status: 'active' })
  })

  test('ends the subscription if cancel_at_period_end is set, or if only cancel_at is set and not later', async () => {
    const end = (cancel_at: string | null, cancel_at_period_end: boolean) =>
      shown({
        members: { cancel_at: cancel_at === null ? null : second(cancel_at), cancel_at_period_end },
        itemMembers: period(january, february),
      })
    const ends = { status: 'active', currentPeriodEnd: february, cancelAtPeriodEnd: true }
    expect(await end(february, true)).toEqual(ends)
    expect(await end(null, true)).toEqual(ends)
    expect(await end(february, false)).toEqual(ends)
    const middle = '2027-01-15T00:00:00.000Z'
    expect(await end(middle, false)).toEqual({ ...ends, currentPeriodEnd: middle })
    expect(await end(march, false)).toEqual({ ...ends, cancelAtPeriodEnd: false })
    expect(await end(null, false)).toEqual({ ...ends, cancelAtPeriodEnd: false })
  })

  test('of a trial has its end too', async () => {
    const trial = {
      status: 'trialing',
      members: { trial_end: second(february) },
      itemMembers: period(january, february),
    }
    expect(await shown(trial)).toMatchObject({ status: 'trialing', trialEnd: february, currentPeriodEnd: february })
  })

  test('never moves backwards by an event that arrives late, by a replay, or by one of two in the same second', async () => {
    const { change, created, read } = await payer({ itemMembers: period(january, february) })
    const late = change({ status: 'past_due' })
    billed.advanceSeconds(60)
    const renewed = change({ status: 'active', itemMembers: period(february, march) })
    for (const event of [renewed, late, created, renewed, late]) await billed.deliver(event)
    expect((await read()).subscriptions).toMatchObject([{ status: 'active', currentPeriodEnd: march }])

    const webhookOnly = await billedForTest({ isWebhookOnly: true })
    await addPlans(webhookOnly)
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const same = await payer({ itemMembers: period(january, february) }, webhookOnly)
      const events = [
        same.change({ status: 'past_due' }),
        same.change({ status: 'active', itemMembers: period(february, march) }),
      ]
      expect(await webhookOnly.deliverAll(order.map((index) => events[index]))).toEqual([])
      expect((await same.read()).subscriptions, String(order)).toMatchObject([
        { status: 'active', currentPeriodEnd: march },
      ])
    }
  })

  test('is repaired by the reconciliation', async () => {
    const { change, read } = await payer({ itemMembers: { ...period(january, february), quantity: 1 } })
    change({
      members: { cancel_at: second(march), trial_end: second(january) },
      itemMembers: { ...period(february, march), quantity: 5 },
    })
    const administrator = await billed.service.person({ role: 'admin' })
    expect((await billed.service.post('/api/v1/admin/billing/sync', { token: administrator.token })).status).toBe(202)
    await expect
      .poll(async () => (await read()).subscriptions)
      .toMatchObject([{ currentPeriodEnd: march, cancelAtPeriodEnd: true, trialEnd: january, quantity: 5 }])
  })
})

describe('reordered events', () => {
  test('an update that arrives before the creation is not undone by it', async () => {
    const { state } = billed.stripe
    const person = await billed.service.person()
    const metadata = { muster_account_id: person.id }
    const { id } = state.subscribe(state.addCustomer().id, { status: 'incomplete', priceIds: ['price_pro'], metadata })
    const created = state.events.at(-1)
    const updated = state.change(id, { status: 'active' })
    expect((await billed.deliver(updated)).body).toMatchObject({ outcome: 'applied' })
    expect((await billed.deliver(created)).status).toBe(200)
    const { body } = await billed.service.get('/api/v1/user/data', { token: person.token })
    expect(body).toMatchObject({
      subscription: { plan_id: 'pro', status: 'active' },
      permissions: { reports: ['pro'] },
    })
  })

  test('the end of a replaced subscription does not end the new one, whichever arrives last', async () => {
    for (const isEndLast of [false, true]) {
      const { id, customer, read } = await payer({})
      const { state } = billed.stripe
      state.subscribe(customer.id, { priceIds: ['price_pro'] })
      const replacement = state.events.at(-1)
      const ended = state.cancel(id)
      for (const event of isEndLast ? [replacement, ended] : [ended, replacement]) await billed.deliver(event)
      expect(await read()).toMatchObject({ subscription: { plan_id: 'pro', status: 'active' }, granted: ['pro'] })
    }
  })

  test('a deleted customer has no plan, whether the end of the subscription arrives before or after the deletion', async () => {
    for (const isReversed of [false, true]) {
      const { customer, read, created } = await payer({})
      const { state } = billed.stripe
      const from = state.events.length
      state.deleteCustomer(customer.id)
      const events = state.events.slice(from)
      expect(await billed.deliverAll(isReversed ? events.reverse() : events)).toEqual([])
      await billed.deliver({ ...created, id: `evt_late_${customer.id}` })
      expect(await read()).toMatchObject({ subscription: { plan_id: 'pro', status: 'canceled' }, granted: [] })
    }
  })
})
