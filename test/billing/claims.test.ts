import { beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  applyCustomerUpdate,
  confirmCustomer,
  linkCustomer,
  linkWaitingCustomers,
  listUnconfirmedCustomers,
  listWaitingCustomers,
} from '../../src/billing/customers.ts'
import { type Claim, claimRanks } from '../../src/billing/events.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { FreshDatabase } from '../support/database.ts'
import { reusedDatabase } from '../support/reused-database.ts'

let fresh: FreshDatabase
let database: Database
let ada: string
let works: string
beforeEach(async () => {
  fresh = await reusedDatabase()
  database = fresh.database
  onTestFinished(() => fresh.drop())
  const idOf = async (text: string) => String((await fresh.sql<{ id: string }>(text))[0]?.id)
  ada = await idOf(`insert into account (email) values ('ada@example.com') returning id`)
  works = await idOf(`insert into organization (name) values ('Works') returning id`)
})

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`
type Readable = Exclude<Claim, { kind: 'unreadable' }>
type Rank = Exclude<keyof typeof claimRanks, 'unreadable'>
const claim = (kind: Readable['kind'], value: string, rank: Rank = 'customer'): Claim => ({
  kind,
  value,
  rank: claimRanks[rank],
})
const apply = (update: { claims?: readonly Claim[]; isDeleted?: boolean }, second = 1) =>
  applyCustomerUpdate(database, { id: 'cus_1', claims: [], ...update }, at(second))

const ownerOf = async (id = 'cus_1') =>
  (await fresh.sql('select account_id, organization_id from customer where id = $1', [id]))[0]
const nobody = { account_id: null, organization_id: null }

async function subscribe(customer: string, id: string, price = 'price_1'): Promise<void> {
  await fresh.sql('insert into customer (id) values ($1) on conflict do nothing', [customer])
  await fresh.sql(
    `insert into subscription (id, customer_id, price_ids, status, created_at, seen_at, seen_rank)
     values ($1, $2, array[$3], 'active', now(), now(), 0)`,
    [id, customer, price],
  )
}

test('an update returns true for a newer claim and a first deletion, and false for an older claim and a second deletion', async () => {
  expect(await apply({})).toBe(false)
  expect(await apply({ claims: [claim('account', ada)] }, 2)).toBe(true)
  expect(await apply({ claims: [claim('organization', works)] }, 1)).toBe(false)
  expect(await ownerOf()).toEqual({ account_id: ada, organization_id: null })
  expect(await apply({ claims: [claim('organization', works)], isDeleted: true }, 3)).toBe(true)
  expect(await ownerOf()).toEqual({ account_id: null, organization_id: works })
  expect(await apply({ claims: [claim('account', ada)], isDeleted: true }, 4)).toBe(true)
  expect(await apply({ isDeleted: true }, 5)).toBe(false)
})

test('a claim matches only owners of its kind; `any` matches both kinds', async () => {
  for (const [wrong, right, owner] of [
    [claim('organization', ada), claim('any', ada), { account_id: ada, organization_id: null }],
    [claim('account', works), claim('any', works), { account_id: null, organization_id: works }],
  ] as const) {
    await fresh.sql('delete from customer')
    await apply({ claims: [wrong] }, 1)
    expect(await ownerOf()).toEqual(nobody)
    await apply({ claims: [right] }, 2)
    expect(await ownerOf()).toEqual(owner)
  }
})

test('the subject of an identity never matches an organization', async () => {
  await fresh.sql(`insert into identity (issuer, subject, account_id) values ('https://idp.test', 'ada-1', $1)`, [ada])
  await apply({ claims: [claim('organization', 'ada-1')] }, 1)
  expect(await ownerOf()).toEqual(nobody)
  await apply({ claims: [claim('account', 'ada-1')] }, 2)
  expect(await ownerOf()).toEqual({ account_id: ada, organization_id: null })
})

test('the customer of a deleted user gets an owner only from an operator', async () => {
  await subscribe('cus_1', 'sub_1')
  await fresh.sql(`update customer set erased_at = now() where id = 'cus_1'`)
  expect(await apply({ claims: [claim('account', ada)] })).toBe(false)
  expect(await listWaitingCustomers(database)).toEqual([])
  const change = { customerId: 'cus_1', owner: { accountId: ada }, at: at(2) }
  expect(await linkCustomer(database, change)).toBe(true)
  expect(await ownerOf()).toEqual({ account_id: ada, organization_id: null })
  expect(await fresh.sql('select erased_at from customer')).toEqual([{ erased_at: null }])
})

test('an operator can link only existing users and organizations, by their kind', async () => {
  const link = (owner: { accountId: string } | { organizationId: string }) =>
    linkCustomer(database, { customerId: 'cus_1', owner, at: at(1) })
  expect(await link({ accountId: works })).toBe(false)
  expect(await link({ organizationId: ada })).toBe(false)
  expect(await fresh.sql('select from customer')).toEqual([])
  expect(await link({ organizationId: works })).toBe(true)
  expect(await ownerOf()).toEqual({ account_id: null, organization_id: works })
})

test('lists customers without an owner by id, with claims and subscriptions, up to the limit', async () => {
  await subscribe('cus_2', 'sub_3')
  await subscribe('cus_1', 'sub_2')
  await subscribe('cus_1', 'sub_1')
  await subscribe('cus_3', 'sub_4')
  await linkCustomer(database, { customerId: 'cus_3', owner: { accountId: ada }, at: at(1) })
  await apply({ claims: [claim('account', 'later')] })
  const sold = (id: string) => ({ id, status: 'active', price_ids: ['price_1'] })
  const all = [
    {
      id: 'cus_1',
      processor: 'stripe',
      claim: { kind: 'account', value: 'later' },
      subscriptions: ['sub_1', 'sub_2'].map(sold),
    },
    { id: 'cus_2', processor: 'stripe', claim: null, subscriptions: [sold('sub_3')] },
  ]
  expect(await listWaitingCustomers(database)).toEqual(all)
  expect(await listWaitingCustomers(database, 1)).toEqual(all.slice(0, 1))
  await fresh.sql(`insert into identity (issuer, subject, account_id) values ('https://idp.test', 'later', $1)`, [ada])
  expect(await linkWaitingCustomers(database)).toEqual(['cus_1'])
  expect(await linkWaitingCustomers(database)).toEqual([])
  expect(await listWaitingCustomers(database)).toEqual(all.slice(1))
})

test('an operator confirms only the owner that they saw', async () => {
  await subscribe('cus_1', 'sub_1')
  await subscribe('cus_2', 'sub_2')
  await apply({ claims: [claim('any', ada, 'reference')] })
  const update = { id: 'cus_2', claims: [claim('any', works, 'reference')] }
  await applyCustomerUpdate(database, update, at(1))
  const names = (await listUnconfirmedCustomers(database)).map(({ id, owner }) => [id, owner])
  expect(names).toEqual([
    ['cus_1', { kind: 'account', id: ada, name: 'ada@example.com' }],
    ['cus_2', { kind: 'organization', id: works, name: 'Works' }],
  ])
  expect(await listUnconfirmedCustomers(database, 1)).toHaveLength(1)
  const confirm = (customerId: string, owner: { accountId: string } | { organizationId: string }) =>
    confirmCustomer(database, { customerId, owner, at: at(2) })
  expect(await confirm('cus_1', { organizationId: works })).toBe(false)
  expect(await confirm('cus_2', { accountId: ada })).toBe(false)
  expect(await confirm('cus_1', { accountId: ada })).toBe(true)
  expect(await confirm('cus_2', { organizationId: works })).toBe(true)
  expect(await confirm('cus_2', { organizationId: works })).toBe(false)
  expect(await listUnconfirmedCustomers(database)).toEqual([])
  const rows = await fresh.sql('select id, claim_kind, claim_value, claim_rank from customer order by id')
  expect(rows).toEqual([
    { id: 'cus_1', claim_kind: 'account', claim_value: ada, claim_rank: claimRanks.operator },
    { id: 'cus_2', claim_kind: 'organization', claim_value: works, claim_rank: claimRanks.operator },
  ])
})
