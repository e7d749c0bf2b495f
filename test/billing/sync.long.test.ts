import { pino } from 'pino'
import { expect, test } from 'vitest'
import { syncIfDue } from '../../src/billing/schedule.ts'
import { type SyncReport, syncSubscriptions } from '../../src/billing/sync.ts'
import { type Billed, billedForTest, stored, truth } from '../support/stripe.ts'

const log = pino({ level: 'silent' })

function sourceOf({ service }: Billed) {
  const source = service.parts.billing?.sources[0]
  if (!source) throw new Error('this test needs a key of Stripe')
  return source
}

function sync(billed: Billed, options = {}): Promise<SyncReport> {
  return syncSubscriptions(billed.service.database, sourceOf(billed), options)
}

/** The same at Stripe and here: `count` subscriptions, a tenth of them ended. */
async function seed({ service, stripe }: Billed, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    stripe.state.seed({
      id: `sub_${n}`,
      customerId: `cus_${n % 100}`,
      status: n % 10 === 0 ? 'canceled' : 'active',
      priceIds: ['price_basic', 'price_seats'],
    })
  await service.sql(`insert into plan (id, name) values ('basic', 'Basic')`)
  await service.sql(`insert into plan_price values ('price_basic', 'basic')`)
  await service.sql(`insert into customer (id) select 'cus_' || n from generate_series(0, 99) n`)
  await service.sql(
    `insert into subscription (id, customer_id, price_id, price_ids, status, created_at, seen_at, seen_rank)
     select 'sub_' || n, 'cus_' || n % 100, 'price_basic', '{price_basic,price_seats}',
            case when n % 10 = 0 then 'canceled' else 'active' end, '2026-01-01', '2026-01-01', 1
     from generate_series(0, $1 - 1) n`,
    [count],
  )
}

test('of 10,000 subscriptions with 1 % of drift exactly those are repaired, each with its differences in the report', async () => {
  const billed = await billedForTest()
  const { service, stripe } = billed
  await seed(billed, 10_000)
  const drifted = Array.from({ length: 100 }, (_, index) => `sub_${index * 97 + 13}`)
  const drift = [
    `update subscription set status = 'paused' where id = any ($1)`,
    `update subscription set price_ids = '{price_old}', price_id = 'price_old' where id = any ($1)`,
    `update subscription set customer_id = 'cus_astray' where id = any ($1)`,
    `delete from subscription where id = any ($1)`,
  ]
  await service.sql(`insert into customer (id) values ('cus_astray')`)
  for (const [index, text] of drift.entries())
    await service.sql(text, [drifted.filter((_, place) => place % drift.length === index)])
  const before = await service.sql<{ id: string; revision: number }>(
    'select id, revision from subscription order by id',
  )

  const progress: number[] = []
  const report = await sync(billed, { onProgress: ({ checked }: { checked: number }) => progress.push(checked) })
  expect(report.checked).toBe(10_000)
  expect(report.repaired.map(({ id }) => id).sort()).toEqual([...drifted].sort())
  expect(report.repaired.map(({ changes }) => changes.join())).toEqual(
    expect.arrayContaining(['status: paused → active', 'prices: price_old → price_basic, price_seats', 'missing']),
  )
  expect(report.unknown).toEqual([])
  expect(progress).toHaveLength(100)
  for (const id of drifted) expect(await stored(service, id)).toMatchObject(truth(stripe, id) ?? {})
  const after = new Map(
    (await service.sql<{ id: string; revision: number }>('select id, revision from subscription')).map((row) => [
      row.id,
      row.revision,
    ]),
  )
  for (const { id, revision } of before) if (!drifted.includes(id)) expect(after.get(id)).toBe(revision)

  expect(await sync(billed)).toMatchObject({ checked: 10_000, repaired: [] })
})

test('a webhook event that arrives during a reconciliation is never undone', async () => {
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

test('after a repair, older events are still refused and newer ones still applied', async () => {
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

test('a subscription that Stripe does not know is reported and left alone: the key may be the wrong one', async () => {
  const billed = await billedForTest()
  await seed(billed, 3)
  billed.stripe.state.subscriptions.delete('sub_1')
  expect(await sync(billed)).toMatchObject({ checked: 2, repaired: [], unknown: ['sub_1'] })
  expect(await stored(billed.service, 'sub_1')).toMatchObject({ status: 'active' })
})

test('owners are repaired as well: by the customer’s metadata, and where an account came after its payment', async () => {
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

test('a failing Stripe ends the walk with a problem; what was repaired stays', async () => {
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

test('on a schedule one node of several reconciles, and no node again before the interval has passed', async () => {
  const billed = await billedForTest()
  await seed(billed, 20)
  const run = () => syncIfDue(billed.service.database, sourceOf(billed), { everyHours: 24, log })
  const reports = await Promise.all([run(), run(), run(), run()])
  expect(reports.filter((report) => report !== undefined)).toHaveLength(1)
  expect(await run()).toBeUndefined()
  await billed.service.sql(`update billing_sync set finished_at = now() - interval '25 hours'`)
  expect(await run()).toMatchObject({ checked: 20 })
})

test('a walk that failed is due again at once', async () => {
  const billed = await billedForTest()
  billed.stripe.control.nextFaults = [{ status: 401, body: { error: { type: 'invalid_request_error' } } }]
  const run = () => syncIfDue(billed.service.database, sourceOf(billed), { everyHours: 24, log })
  await expect(run()).rejects.toMatchObject({ code: 'processor_refused' })
  expect(await run()).toMatchObject({ checked: 0 })
})
