import { test } from 'vitest'
import { repairOneOfHundred } from '../support/billing-sync.ts'
import { billedForTest } from '../support/stripe.ts'

test('repairs exactly the different 1 % of 10,000 subscriptions, each with its differences in the report', async () => {
  await repairOneOfHundred(await billedForTest(), 10_000)
})
