import { expect, test } from 'vitest'
import { billedForTest } from '../../support/stripe.ts'

test('200: a repetition does not wait for events of its subscription that are being written', async () => {
  const { service, stripe, deliver } = await billedForTest()
  await service.sql(`insert into plan_price values ('price_basic', 'free')`)
  const { id } = stripe.state.subscribe(stripe.state.addCustomer().id, {})
  const event = stripe.state.events.at(-1)
  expect(await deliver(event)).toEqual({ status: 200, body: { received: true, outcome: 'applied' } })
  const blocker = await service.database.connect()
  await blocker.query('begin')
  await blocker.query(`select lock_name('billing ' || (hashtextextended($1::text, 0) & 1023))`, [id])
  expect(await deliver(event)).toEqual({ status: 200, body: { received: true, outcome: 'repeated' } })
  await blocker.query('rollback')
  await blocker.end()
})
