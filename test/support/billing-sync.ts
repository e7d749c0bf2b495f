import { expect } from 'vitest'
import { type SyncReport, syncSubscriptions } from '../../src/billing/sync.ts'
import { type Billed, stored, truth } from './stripe.ts'

export function sourceOf({ service }: Billed) {
  const source = service.parts.billing?.sources[0]
  if (!source) throw new Error('this test needs a key of Stripe')
  return source
}

export function sync(billed: Billed, options = {}): Promise<SyncReport> {
  return syncSubscriptions(billed.service.database, sourceOf(billed), options)
}

/** The same at Stripe and here: `count` subscriptions, a tenth of them ended. */
export async function seed({ service, stripe }: Billed, count: number): Promise<void> {
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
    `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     select 'sub_' || n, 'cus_' || n % 100, '{price_basic,price_seats}',
            case when n % 10 = 0 then 'canceled' else 'active' end, '2026-01-01', '2026-01-01', 1
     from generate_series(0, $1 - 1) n`,
    [count],
  )
}

/** One of a hundred subscriptions differs; exactly those are repaired. `count` is a multiple of 400. */
export async function repairOneOfHundred(billed: Billed, count: number): Promise<void> {
  const { service, stripe } = billed
  await seed(billed, count)
  const drifted = Array.from({ length: count / 100 }, (_, index) => `sub_${index * 97 + 13}`)
  const drift = [
    `update subscription set status = 'paused' where id = any ($1)`,
    `update subscription set price_ids = '{price_old}' where id = any ($1)`,
    `update subscription set customer_id = 'cus_astray' where id = any ($1)`,
    `delete from subscription where id = any ($1)`,
  ]
  await service.sql(`insert into customer (id) values ('cus_astray')`)
  for (const [index, text] of drift.entries())
    await service.sql(text, [drifted.filter((_, place) => place % drift.length === index)])
  const before = await service.sql<{ id: string; revision: number }>(
    'select id, revision from subscription order by id',
  )

  const progress: object[] = []
  const report = await sync(billed, { onProgress: (sofar: object) => progress.push(sofar) })
  expect(report.checked).toBe(count)
  expect(report.repaired.map(({ id }) => id).sort()).toEqual([...drifted].sort())
  expect(report.repaired.map(({ changes }) => changes.join())).toEqual(
    expect.arrayContaining(['status: paused → active', 'prices: price_old → price_basic, price_seats', 'missing']),
  )
  expect(report.unknown).toEqual([])
  expect(progress).toHaveLength(count / 100)
  expect(progress.at(-1)).toEqual({ checked: count, repaired: drifted.length })
  for (const id of drifted) expect(await stored(service, id)).toMatchObject(truth(stripe, id) ?? {})
  const after = new Map(
    (await service.sql<{ id: string; revision: number }>('select id, revision from subscription')).map((row) => [
      row.id,
      row.revision,
    ]),
  )
  for (const { id, revision } of before) if (!drifted.includes(id)) expect(after.get(id)).toBe(revision)

  expect(await sync(billed)).toMatchObject({ checked: count, repaired: [] })
}
