import { expect, test } from 'vitest'
import { seed, sync } from '../support/billing-sync.ts'
import { billedForTest, stored } from '../support/stripe.ts'

// Uses the parts of the service directly.

test('equal subscriptions cost one call per page, and each difference one more', async () => {
  const billed = await billedForTest()
  await seed(billed, 5)
  const same = { checked: 5, repaired: [], linked: [], unknown: [] }
  expect(await sync(billed)).toEqual(same)
  const paths = () => billed.stripe.received.map(({ path }) => path)
  expect(paths()).toEqual(['/v1/subscriptions'])
  await billed.service.sql(`update subscription set status = 'paused' where id = 'sub_3'`)
  expect(await sync(billed)).toEqual({ ...same, repaired: [{ id: 'sub_3', changes: ['status: paused → active'] }] })
  expect(paths()).toEqual(['/v1/subscriptions', '/v1/subscriptions', '/v1/subscriptions/sub_3'])
})

test('a different customer is a difference, with both customers in the report', async () => {
  const billed = await billedForTest()
  await seed(billed, 3)
  await billed.service.sql(`insert into customer (id) values ('cus_astray')`)
  await billed.service.sql(`update subscription set customer_id = 'cus_astray' where id = 'sub_2'`)
  expect(await sync(billed)).toEqual({
    checked: 3,
    repaired: [{ id: 'sub_2', changes: ['customer: cus_astray → cus_2'] }],
    linked: [],
    unknown: [],
  })
  expect(await stored(billed.service, 'sub_2')).toMatchObject({ customer_id: 'cus_2' })
})

test('a missing name of a price without a plan is a difference; a price with a plan needs no name', async () => {
  const billed = await billedForTest()
  await seed(billed, 2)
  const { id } = billed.stripe.state.subscribe('cus_0', { priceIds: ['price_surprise'] })
  billed.stripe.control.nextFaults = ['reset', 'reset']
  await billed.deliver(billed.stripe.state.events.at(-1))
  expect(await stored(billed.service, id)).toMatchObject({ price_ids: ['price_surprise'], product_name: null })
  const found = { checked: 3, repaired: [], linked: [], unknown: [] }
  expect(await sync(billed)).toEqual({ ...found, repaired: [{ id, changes: ['product name: none'] }] })
  expect(await stored(billed.service, id)).toMatchObject({ product_name: 'Product of price_surprise' })
  expect(await sync(billed)).toEqual(found)
})
