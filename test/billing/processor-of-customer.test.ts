import { expect, onTestFinished, test } from 'vitest'
import { ensureCustomer } from '../../src/billing/customers.ts'
import { reusedDatabase } from '../support/reused-database.ts'

test('the processor that named a customer last is stored, and no other customer changes', async () => {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const ensure = (id: string, processor: string) =>
    fresh.database.transaction((rows) => ensureCustomer(rows, id, processor))
  const stored = () => fresh.sql(`select id, processor, xmin::text from customer order by id`)
  await ensure('ctm_other', 'paddle')
  await ensure('cus_one', 'paddle')
  const [other] = await stored()
  await ensure('cus_one', 'stripe')
  const [otherAfter, one] = await stored()
  expect(otherAfter).toEqual(other)
  expect(one).toMatchObject({ id: 'cus_one', processor: 'stripe' })
  // Known values cost no write.
  await ensure('cus_one', 'stripe')
  expect(await stored()).toEqual([other, one])
})
