import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Claim, claimRanks } from '../../src/billing/events.ts'
import type { FetchedSubscription } from '../../src/billing/processor.ts'
import { type SyncReport, syncSubscriptions } from '../../src/billing/sync.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'

let fresh: FreshDatabase
type Readable = Exclude<Claim, { kind: 'unreadable' }>

let ada: Readable
let works: Readable
beforeEach(async () => {
  fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const idOf = async (text: string) => String((await fresh.sql<{ id: string }>(text))[0]?.id)
  const rank = claimRanks.customer
  ada = { kind: 'account', value: await idOf('insert into account default values returning id'), rank }
  works = {
    kind: 'organization',
    value: await idOf(`insert into organization (name) values ('Works') returning id`),
    rank,
  }
})

/** Reconciles with a processor that has one subscription, whose claims name the owner of its customer. */
function reconcile(claims: readonly Claim[], second: number): Promise<SyncReport> {
  const at = `2026-01-01T00:00:0${second}Z`
  const found: FetchedSubscription = {
    snapshot: {
      id: 'sub_1',
      customerId: 'cus_1',
      items: [{ priceId: 'price_1' }],
      productName: 'One',
      status: 'active',
      createdAt: at,
    },
    customer: { id: 'cus_1', claims },
    notBefore: at,
  }
  return syncSubscriptions(fresh.database, {
    processor: 'example',
    title: 'Example',
    fetch: async () => found,
    async *pages() {
      yield [found]
    },
  })
}

const missing = { id: 'sub_1', changes: ['missing'] }
const report = (more: Partial<SyncReport>) => ({ checked: 1, repaired: [], linked: [], unknown: [], ...more })
const owners = () => fresh.sql('select account_id, organization_id, deleted_at from customer')

test('reports a customer once when its owner changes; it counts as deleted only if the processor says so', async () => {
  expect(await reconcile([ada], 1)).toEqual(report({ repaired: [missing], linked: ['cus_1'] }))
  expect(await reconcile([ada], 2)).toEqual(report({}))
  expect(await owners()).toEqual([{ account_id: ada.value, organization_id: null, deleted_at: null }])
})

test("the customer's metadata beat those of its purchases, whose owner stays the same", async () => {
  const purchase = { ...ada, rank: claimRanks.purchase }
  await reconcile([purchase, ada], 1)
  expect(await reconcile([purchase, works], 2)).toEqual(report({ linked: ['cus_1'] }))
  expect(await owners()).toEqual([{ account_id: null, organization_id: works.value, deleted_at: null }])
})

test('skips the customer of a deleted user: it gets no owner and no lock', async () => {
  await reconcile([ada], 1)
  await fresh.sql(`update customer set account_id = null, erased_at = now(),
    claim_kind = null, claim_value = null, claim_rank = null, claim_at = null`)
  const row = () => fresh.sql('select ctid::text, xmin::text, xmax::text, c.* from customer c')
  const before = await row()
  expect(await reconcile([ada], 2)).toEqual(report({}))
  expect(await row()).toEqual(before)
})
