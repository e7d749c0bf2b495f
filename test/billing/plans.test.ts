import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  isMapped,
  listPlans,
  listUnmappedPrices,
  mapPrices,
  readPlans,
  removePlan,
  savePlan,
  unmapPrices,
} from '../../src/billing/plans.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'

let fresh: FreshDatabase
let database: Database
beforeEach(async () => {
  fresh = await reusedDatabase()
  database = fresh.database
  onTestFinished(() => fresh.drop())
})

const events = () => fresh.sql('select action, target_kind, target_id, details from audit_event order by at, id')

interface Sold {
  readonly price: string
  readonly product?: string
}

async function subscribe(id: string, { price, product }: Sold): Promise<void> {
  await fresh.sql(`insert into customer (id) values ('cus') on conflict do nothing`)
  await fresh.sql(
    `insert into subscription (id, customer_id, price_ids, product_name, status, created_at, seen_at, seen_rank)
     values ($1, 'cus', array[$2], $3, 'active', now(), now(), 0)`,
    [id, price, product ?? null],
  )
}

describe('savePlan', () => {
  test('creates a plan or changes the given members, returns which, and writes an audit event', async () => {
    expect(await savePlan(database, { id: 'pro' })).toBe('created')
    expect(await savePlan(database, { id: 'pro', name: 'Professional' })).toBe('changed')
    expect(await savePlan(database, { id: 'pro', isDefault: true })).toBe('changed')
    expect(await listPlans(database)).toMatchObject([
      { id: 'free', name: 'Free', is_default: false },
      { id: 'pro', name: 'Professional', is_default: true },
    ])
    const target = { target_kind: 'plan', target_id: 'pro' }
    expect(await events()).toEqual([
      { action: 'plan.created', ...target, details: {} },
      { action: 'plan.changed', ...target, details: { name: 'Professional' } },
      { action: 'plan.changed', ...target, details: { isDefault: true } },
    ])
  })

  test('uses the id as the name of a new plan; removing the default leaves none', async () => {
    await savePlan(database, { id: 'pro', isDefault: true })
    await savePlan(database, { id: 'pro', isDefault: false })
    expect(await listPlans(database)).toMatchObject([
      { id: 'free', is_default: false },
      { id: 'pro', name: 'pro', is_default: false },
    ])
  })
})

describe('listPlans and readPlans', () => {
  test('return every plan by id, with its prices, grants and subscriptions in order', async () => {
    for (const id of ['team', 'pro']) await savePlan(database, { id })
    await mapPrices(database, { planId: 'pro', priceIds: ['price_b', 'price_a'] })
    await mapPrices(database, { planId: 'team', priceIds: ['price_t'] })
    await fresh.sql(`insert into plan_grant (plan_id, resource, action)
      values ('pro', 'reports', 'read'), ('pro', 'reports', 'export'), ('team', 'seats', 'add')`)
    await subscribe('sub_1', { price: 'price_a' })
    await subscribe('sub_2', { price: 'price_b' })
    await subscribe('sub_3', { price: 'price_t' })
    const shown = [
      { id: 'pro', prices: ['price_a', 'price_b'], grants: ['reports:export', 'reports:read'], subscriptions: 2 },
      { id: 'team', prices: ['price_t'], grants: ['seats:add'], subscriptions: 1 },
    ]
    expect((await listPlans(database)).slice(1)).toMatchObject(shown)
    const { plans } = JSON.parse(await readPlans(database))
    expect(plans).toMatchObject([
      { id: 'free', name: 'Free', isDefault: true, prices: [], permissions: {} },
      { id: 'pro', prices: ['price_a', 'price_b'], permissions: { reports: ['export', 'read'] } },
      { id: 'team', prices: ['price_t'], permissions: { seats: ['add'] } },
    ])
  })
})

describe('removePlan', () => {
  test('removes only the plan and its grants, writes an audit event, and returns false if there is none', async () => {
    for (const id of ['pro', 'team']) await savePlan(database, { id })
    await fresh.sql(`insert into plan_grant (plan_id, resource, action) values ('pro', 'reports', 'read')`)
    expect(await removePlan(database, 'pro')).toBe(true)
    expect((await listPlans(database)).map(({ id }) => id)).toEqual(['free', 'team'])
    expect(await removePlan(database, 'pro')).toBe(false)
    const target = { target_kind: 'plan', target_id: 'pro' }
    expect((await events()).slice(2)).toEqual([{ action: 'plan.removed', ...target, details: {} }])
  })

  test('keeps a plan with prices', async () => {
    await savePlan(database, { id: 'pro' })
    await mapPrices(database, { planId: 'pro', priceIds: ['price_1'] })
    await expect(removePlan(database, 'pro')).rejects.toMatchObject({ code: '23503' })
    expect((await listPlans(database)).map(({ id }) => id)).toEqual(['free', 'pro'])
  })
})

describe('mapPrices and unmapPrices', () => {
  test('use the last mapping of a price, or none; each change is in the audit log', async () => {
    for (const id of ['pro', 'team']) await savePlan(database, { id })
    await mapPrices(database, { planId: 'pro', priceIds: ['price_1', 'price_2'] })
    await mapPrices(database, { planId: 'team', priceIds: ['price_2'] })
    expect((await listPlans(database)).map(({ prices }) => prices)).toEqual([[], ['price_1'], ['price_2']])
    expect(await isMapped(database, ['price_1', 'price_9'])).toBe(true)
    expect(await unmapPrices(database, { priceIds: ['price_1', 'price_9'] })).toEqual(['price_1'])
    expect(await isMapped(database, ['price_1', 'price_9'])).toBe(false)
    expect((await events()).slice(2)).toMatchObject([
      { action: 'plan.changed', target_id: 'pro', details: { mapped: ['price_1', 'price_2'] } },
      { action: 'plan.changed', target_id: 'team', details: { mapped: ['price_2'] } },
      { action: 'plan.changed', target_id: 'pro', details: { unmapped: 'price_1' } },
    ])
  })
})

describe('listUnmappedPrices', () => {
  test('returns the prices with the most subscriptions first, then by price, up to the limit', async () => {
    await savePlan(database, { id: 'pro' })
    await mapPrices(database, { planId: 'pro', priceIds: ['price_m'] })
    await subscribe('sub_1', { price: 'price_b' })
    await subscribe('sub_2', { price: 'price_a', product: 'A' })
    await subscribe('sub_3', { price: 'price_c', product: 'C' })
    await subscribe('sub_4', { price: 'price_c', product: 'C' })
    await subscribe('sub_5', { price: 'price_m' })
    const all = [
      { price_id: 'price_c', product_name: 'C', subscriptions: 2 },
      { price_id: 'price_a', product_name: 'A', subscriptions: 1 },
      { price_id: 'price_b', product_name: null, subscriptions: 1 },
    ]
    expect(await listUnmappedPrices(database)).toEqual(all)
    expect(await listUnmappedPrices(database, 2)).toEqual(all.slice(0, 2))
  })
})
