import { pino } from 'pino'
import { expect, test } from 'vitest'
import { syncIfDue } from '../../src/billing/schedule.ts'
import { repairOneOfHundred, seed, sourceOf, sync } from '../support/billing-sync.ts'
import { billedForTest, stored } from '../support/stripe.ts'

const log = pino({ level: 'silent' })

test('repairs exactly the different 1 % of 400 subscriptions, each with its differences in the report', async () => {
  await repairOneOfHundred(await billedForTest(), 400)
})

test('never undoes a webhook event that arrives during a reconciliation', async () => {
  const billed = await billedForTest()
  const { service, stripe, deliver, advanceSeconds } = billed
  await seed(billed, 10)
  await service.sql(`update subscription set status = 'paused' where id = 'sub_3'`)
  // The page and the fetch were answered before the change that is committed first.
  let changes = 0
  stripe.control.beforeSending = async ({ path }) => {
    if (path !== '/v1/subscriptions/sub_3' || changes > 0) return
    changes += 1
    advanceSeconds(1)
    await deliver(stripe.state.change('sub_3', { status: 'unpaid' }))
  }
  const report = await sync(billed)
  expect(changes).toBe(1)
  expect(report.repaired).toEqual([])
  expect(await stored(service, 'sub_3')).toMatchObject({ status: 'unpaid' })
})

test('skips a subscription that changes at each of five tries, because events update it', async () => {
  const billed = await billedForTest()
  const { service, stripe, deliver, advanceSeconds } = billed
  await seed(billed, 10)
  await service.sql(`update subscription set status = 'paused' where id = 'sub_3'`)
  let tries = 0
  stripe.control.beforeSending = async ({ path }) => {
    if (path !== '/v1/subscriptions/sub_3' || tries > 9) return
    tries += 1
    advanceSeconds(1)
    stripe.control.beforeSending = undefined
    await deliver(stripe.state.change('sub_3', { status: tries % 2 === 0 ? 'past_due' : 'unpaid' }))
    stripe.control.beforeSending = again
    advanceSeconds(1)
    // It differs again by the time of the next try.
    await service.sql(`update subscription set status = 'paused' where id = 'sub_3'`)
  }
  const again = stripe.control.beforeSending
  expect(await sync(billed)).toMatchObject({ repaired: [], unknown: [] })
  expect(tries).toBe(5)
})

test('a subscription that disappears between its page and its fetch is not a repair', async () => {
  const billed = await billedForTest()
  await seed(billed, 3)
  await billed.service.sql(`update subscription set status = 'paused' where id = 'sub_1'`)
  billed.stripe.control.beforeAnswer = ({ path }) => {
    if (path === '/v1/subscriptions/sub_1') billed.stripe.state.subscriptions.delete('sub_1')
  }
  expect(await sync(billed)).toMatchObject({ checked: 3, repaired: [] })
  expect(await stored(billed.service, 'sub_1')).toMatchObject({ status: 'paused' })
})

test('after a repair, rejects older events and applies newer ones', async () => {
  const billed = await billedForTest()
  const { service, stripe, deliver, advanceSeconds } = billed
  const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, { status: 'incomplete' })
  const late = stripe.state.events.at(-1)
  advanceSeconds(60)
  stripe.state.change(id, { status: 'active' }) // its event is lost
  advanceSeconds(60)
  expect(await sync(billed)).toMatchObject({ repaired: [{ id, changes: ['missing'] }] })
  expect((await deliver(late)).body).toMatchObject({ outcome: 'older' })
  expect(await stored(service, id)).toMatchObject({ status: 'active', product_name: 'Product of price_basic' })
  advanceSeconds(60)
  await deliver(stripe.state.cancel(id))
  expect(await stored(service, id)).toMatchObject({ status: 'canceled' })
})

test('reports a subscription unknown to Stripe and leaves it unchanged: the key may be wrong', async () => {
  const billed = await billedForTest()
  await seed(billed, 3)
  billed.stripe.state.subscriptions.delete('sub_1')
  expect(await sync(billed)).toMatchObject({ checked: 2, repaired: [], unknown: ['sub_1'] })
  expect(await stored(billed.service, 'sub_1')).toMatchObject({ status: 'active' })
})

test('repairs owners too: from the customer’s metadata, and for a user newer than its payment', async () => {
  const billed = await billedForTest()
  const { service, stripe, deliverAll } = billed
  const [person, late] = [await service.person(), await service.person()]
  const silent = stripe.state.addCustomer()
  stripe.state.subscribe(silent.id, {})
  await deliverAll(stripe.state.events)
  stripe.state.changeCustomer(silent.id, { muster_account_id: person.id }) // its event is lost
  const early = stripe.state.addCustomer({ metadata: { muster_account_id: 'issuer|late' } })
  await deliverAll([stripe.state.events.at(-1)])
  await service.sql(
    `insert into identity (issuer, subject, account_id) values ('https://idp.test', 'issuer|late', $1)`,
    [late.id],
  )
  const report = await sync(billed)
  expect([...report.linked].sort()).toEqual([silent.id, early.id].sort())
  expect(await service.sql('select id from customer where account_id = $1', [person.id])).toEqual([{ id: silent.id }])
  expect(await service.sql('select id from customer where account_id = $1', [late.id])).toEqual([{ id: early.id }])
  expect((await sync(billed)).linked).toEqual([])
})

test('records a deleted customer without its events, and its subscription ends', async () => {
  const billed = await billedForTest()
  const { service, stripe, deliverAll, advanceSeconds } = billed
  const [gone, stays] = [stripe.state.addCustomer(), stripe.state.addCustomer()]
  const { id } = stripe.state.subscribe(gone.id, {})
  stripe.state.subscribe(stays.id, {})
  await deliverAll(stripe.state.events)
  advanceSeconds(60)
  stripe.state.deleteCustomer(gone.id)
  expect(await sync(billed)).toMatchObject({ checked: 2, repaired: [{ id, changes: ['status: active → canceled'] }] })
  expect(
    await service.sql('select id, deleted_at is not null as is_deleted from customer order by deleted_at'),
  ).toEqual([
    { id: gone.id, is_deleted: true },
    { id: stays.id, is_deleted: false },
  ])
})

test('a Stripe failure ends the run with a problem and keeps earlier repairs', async () => {
  const billed = await billedForTest()
  await seed(billed, 150)
  await billed.service.sql('update subscription set status = $1', ['paused'])
  billed.stripe.control.beforeAnswer = ({ query }) => {
    if (query.has('starting_after'))
      billed.stripe.control.nextFaults = [{ status: 401, body: { error: { type: 'invalid_request_error' } } }]
  }
  await expect(sync(billed)).rejects.toMatchObject({ code: 'processor_refused' })
  expect(await billed.service.sql(`select from subscription where status = 'paused'`)).toHaveLength(50)
})

test('on a schedule one of several nodes reconciles, and none again before the interval has passed', async () => {
  const billed = await billedForTest()
  await seed(billed, 20)
  const run = () => syncIfDue(billed.service.database, sourceOf(billed), { everyHours: 24, log })
  const reports = await Promise.all([run(), run(), run(), run()])
  expect(reports.filter((report) => report !== undefined)).toHaveLength(1)
  expect(await run()).toBeUndefined()
  await billed.service.sql(`update billing_sync set finished_at = now() - interval '25 hours'`)
  expect(await run()).toMatchObject({ checked: 20 })
})

test('a failed run is due again immediately', async () => {
  const billed = await billedForTest()
  billed.stripe.control.nextFaults = [{ status: 401, body: { error: { type: 'invalid_request_error' } } }]
  const run = () => syncIfDue(billed.service.database, sourceOf(billed), { everyHours: 24, log })
  await expect(run()).rejects.toMatchObject({ code: 'processor_refused' })
  expect(await run()).toMatchObject({ checked: 0 })
})
